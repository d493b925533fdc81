/**
 * The check of one sentence of a model: by code (checks.ts), then by the second reading (second-reading.ts). A sentence
 * that fails is sent back to the model once, and what it writes instead is checked in the same way.
 */
import { setImmediate } from 'node:timers/promises';
import { refOf } from '../answering/writing/sources.ts';
import type { Language, WrittenSentence } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { GenerationRequest, Generator, ModelUsage } from '../ports/models.ts';
import { detectLanguage } from '../text/language.ts';
import { splitSentences } from '../text/sentences.ts';
import { stem, words } from '../text/words.ts';
import { faultOf, Ground } from './checks.ts';
import type { GivenDocument } from './documents.ts';
import { declined, repairRequest } from './prompt.ts';
import { type Quotation, type SecondReading, withoutNumber } from './second-reading.ts';
import type { WrittenUnit } from './units.ts';

/** The result of checking a unit. */
export interface Outcome {
  text: string;
  /** The reason why the unit is omitted; null if it is kept. */
  fault: string | null;
  quotations: Quotation[];
  /** Whether it answers the question or part of it. */
  answers: boolean;
  /** Whether it depends on the previous unit. */
  leans: boolean;
  /** Whether the unit was not checked by a second reading. */
  unread: boolean;
  record: Omit<WrittenSentence, 'start'>;
}

export interface CheckOptions {
  generator: Generator;
  /** Null if there is no second reading. */
  reader: SecondReading | null;
  /** The question, whose words a sentence may repeat. */
  question: string;
  lang: Language;
  /** The documents given to the model. */
  documents: readonly GivenDocument[];
  /** The request of the answer, without its messages. */
  request: Pick<GenerationRequest, 'system' | 'documents' | 'maxTokens'>;
  /** Whether a text repeats the instructions. */
  repeats: (text: string) => boolean;
  /** Time limit for a repair, in milliseconds. */
  withinMs: number;
  signal: AbortSignal;
  onRepair(usage: Partial<ModelUsage>): void;
}

/** Minimum number of words for detecting the language of text reliably. */
const languageWords = 5;
/** Maximum number of sentences per answer that are sent back for repair, and maximum length of a repair in tokens. */
const repairsMax = 3;
const repairTokens = 200;

/** Checks the sentences of one answer. Rejects only if the signal is aborted. */
export class SentenceCheck {
  readonly #options: CheckOptions;
  readonly #byId: ReadonlyMap<string, GivenDocument>;
  readonly #grounds: ReadonlyMap<string, Ground>;
  readonly #asked: Ground;
  #repairs = 0;

  constructor(options: CheckOptions) {
    this.#options = options;
    const { documents, question, lang } = options;
    this.#byId = new Map(documents.map((one) => [one.id, one]));
    this.#grounds = new Map(documents.map(({ id, passage }) => [id, Ground.of(passage)]));
    this.#asked = new Ground(question, lang);
  }

  /** `before`: the part of the answer that precedes the unit. */
  async check(unit: WrittenUnit, before: string): Promise<Outcome> {
    const first = await this.#judged(unit, before);
    if (first.fault === null || unit.isHead || first.record.verdict === 'silent') return first;
    if (this.#repairs++ >= repairsMax) return first;
    const repaired = await this.#repaired(unit, before, first.fault);
    if (repaired === null) return first;
    const second = await this.#judged(repaired, before);
    const record = { ...second.record, repaired_from: unit.text, reason: second.fault ?? first.fault };
    return { ...second, record };
  }

  async #judged(unit: WrittenUnit, before: string): Promise<Outcome> {
    // Yields to other work, because several sentences may be completed at the same time.
    await setImmediate();
    const { lang, documents: all, reader } = this.#options;
    const documents = unit.cites.flatMap((id) => this.#byId.get(id) ?? []);
    const spoken =
      words(unit.text).length < languageWords ? lang : detectLanguage(unit.text, undefined, lang);
    // If no passage is in the asker's language, the model may answer in the language of the passages.
    if (spoken !== lang && all.some(({ passage }) => passage.chunk.lang === lang))
      return outcomeOf(unit, 'code', `It is not in the language of the question (${lang}).`);
    const cited = documents.length > 0 || unit.isHead ? documents : all;
    const grounds = [...(unit.isHead ? all : cited).map(({ id }) => this.#grounds.get(id)!), this.#asked];
    const fault = faultOf(unit.text, { lang: spoken, grounds });
    if (unit.isHead || (fault !== null && documents.length > 0)) return outcomeOf(unit, 'code', fault);
    const judgement = await reader?.read({ text: unit.text, before, documents: cited });
    if (judgement) {
      const { verdict, reason, quotations, answers, leans } = judgement;
      // A sentence that only states what is missing needs no support.
      if (verdict === 'silent') return outcomeOf(unit, verdict, null, { answers: false, leans });
      const isSupported = verdict === 'supported' && fault === null;
      return outcomeOf(unit, verdict, isSupported ? null : (fault ?? reason), { quotations, answers, leans });
    }
    if (documents.length === 0) return outcomeOf(unit, 'code', 'It cites no passage.', { unread: true });
    const quotations = documents.slice(0, 2).map((one) => nearestSentence(unit.text, one));
    return outcomeOf(unit, 'unverified', null, { unread: true, quotations });
  }

  /** Has the model rewrite a sentence. Returns null if the model drops it or is unavailable. */
  async #repaired(unit: WrittenUnit, before: string, reason: string): Promise<WrittenUnit | null> {
    const { generator, question, request, repeats, withinMs, signal, onRepair } = this.#options;
    let text = '';
    const cites = new Set<string>();
    try {
      const parts = generator.generate(
        {
          ...request,
          messages: [
            { role: 'user', content: question },
            { role: 'assistant', content: `${before}${unit.gap}${unit.text}`.trim() },
            { role: 'user', content: repairRequest(unit.text, reason) },
          ],
          maxTokens: Math.min(request.maxTokens, repairTokens),
        },
        AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
      );
      for await (const part of parts) {
        if (part.type === 'text') text += part.text;
        else if (part.type === 'citation') for (const id of part.documents) cites.add(id);
        else onRepair(part.usage ?? {});
        if (text.length > 3 * unit.text.length + 200) return null;
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof Failure)) throw error;
      return null;
    }
    text = text.trim();
    if (text === '' || text.startsWith(declined) || repeats(text)) return null;
    return { ...unit, text, cites: [...cites] };
  }
}

function outcomeOf(
  { text }: WrittenUnit,
  verdict: WrittenSentence['verdict'],
  fault: string | null,
  more: Partial<Pick<Outcome, 'quotations' | 'answers' | 'leans' | 'unread'>> = {},
): Outcome {
  const quotes = (more.quotations ?? []).map((one) => ({
    ref: refOf(one.document.passage),
    quote: quoteOf(one),
  }));
  return {
    text,
    fault,
    quotations: [],
    answers: true,
    leans: false,
    unread: false,
    ...more,
    record: { text, verdict, reason: fault, repaired_from: null, quotes },
  };
}

/** The quoted text. */
export const quoteOf = ({ document, start, end }: Quotation): string =>
  document.passage.text.slice(start, end);

/** The sentence in a document that shares the most words with the text. This helps readers but proves nothing. */
function nearestSentence(text: string, document: GivenDocument): Quotation {
  const wanted = new Set(words(text).map(stem));
  const passage = document.passage.text;
  let best = { start: 0, end: passage.length, shared: -1 };
  for (const { start, end } of splitSentences(passage)) {
    const there = new Set(words(passage.slice(start, end)).map(stem));
    const shared = [...wanted].filter((one) => there.has(one)).length / Math.sqrt(there.size || 1);
    if (shared > best.shared) best = { start, end, shared };
  }
  return { document, ...withoutNumber(passage, best) };
}
