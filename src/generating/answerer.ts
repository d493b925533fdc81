/**
 * Answers written by a model. Each sentence is checked before it is shown. A sentence that fails the checks is sent
 * back once for repair; a sentence that has been shown is never withdrawn. The model decides whether there is an
 * answer, and a second reading decides whether the passages support it. Everything that requires no interpretation is
 * checked by code.
 *
 * Only if the model fails before anything has been shown, the answer is composed without a model. Text that must be
 * verbatim (dated quotations, changes over time) is never written by a model.
 */

import { setImmediate } from 'node:timers/promises';
import type { Answerer } from '../answering/answerer.ts';
import { passagesOf } from '../answering/kinds/findings.ts';
import type { Findings } from '../answering/kinds/kind.ts';
import { partsOf } from '../answering/writing/builder.ts';
import type { AnswerContext } from '../answering/writing/context.ts';
import type { AnswerPart } from '../answering/writing/parts.ts';
import { withholdNear } from '../answering/writing/refusal.ts';
import { leansOn } from '../answering/writing/sentences.ts';
import { layersOf, layerTitle, pageOf, recordedSource, refOf } from '../answering/writing/sources.ts';
import { gathered } from '../async/gathered.ts';
import type { Citation, Mode, WrittenSentence } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { GeneratedPart, Generator, ModelUsage, StructuredModel } from '../ports/models.ts';
import { asksForAll } from '../reading/answer-kinds.ts';
import { detectLanguage } from '../text/language.ts';
import { phrases } from '../text/phrases.ts';
import { splitSentences } from '../text/sentences.ts';
import { stem, words } from '../text/words.ts';
import { faultOf, Ground } from './checks.ts';
import { documentsOf, type GivenDocument } from './documents.ts';
import { declined, instructions, promptHash, repairRequest, repeatsInstructions } from './prompt.ts';
import { type Judgement, type Quotation, SecondReading, withoutNumber } from './second-reading.ts';
import { unitsOf, type WrittenUnit } from './units.ts';

export interface GeneratingDeps {
  generator: Generator;
  /**
   * The model for the second reading. If null, there is no second reading, and all answers written by a model are
   * marked as unverified.
   */
  verifier: StructuredModel | null;
  /** Time limit for a second reading, in milliseconds. */
  verifyMs: number;
  /** What to do if a sentence could not be verified: mark the answer, or compose it without a model. */
  unverified: 'mark' | 'extract';
  /** Returns the current prompt. */
  prompt(): Promise<{ version: number; content: string }>;
  /** Maximum length of an answer, in tokens. */
  maxTokens: number;
}

/** The result of checking a unit. */
interface Outcome {
  text: string;
  /** The reason why the unit is omitted; null if it is kept. */
  fault: string | null;
  quotations: Quotation[];
  answers: boolean;
  leans: boolean;
  /** Whether the unit was not checked by a second reading. */
  unread: boolean;
  record: Omit<WrittenSentence, 'start'>;
}

/** A unit of the answer and the pending result of its check. */
interface Held {
  unit: WrittenUnit;
  outcome: Promise<Outcome>;
}

/** Minimum number of words for detecting the language of text reliably. */
const languageWords = 5;
/** A model is stopped if it exceeds this number of UTF-16 units per permitted token, or this number of citations. */
const unitsPerToken = 16;
const citationsMax = 200;
/** Maximum number of sentences per answer that are sent back for repair. */
const repairsMax = 3;
/** How much of the dialogue is sent to the model: number of last turns, and number of UTF-16 units of each. */
const turnsSent = 6;
const unitsPerTurn = 2_000;
const briefSentences = 2;

export function createGeneratingAnswerer(deps: GeneratingDeps): Answerer {
  return {
    identity: async () =>
      [deps.generator.name, deps.verifier?.name ?? 'unread', (await deps.prompt()).version].join(' '),
    async *answer(context, findings, signal) {
      const isQuoted = context.style !== null && context.style !== 'brief';
      const documents = documentsOf(context, inTurn(findings));
      if (isQuoted || findings.sides[0].found.changes || documents.length === 0)
        yield* partsOf(findings.compose(context));
      else yield* new Writing(deps, context, findings, documents, signal).parts();
    },
  };
}

/**
 * The passages of all sides, taken alternately from each side, best first. Provisions named in a commentary precede the
 * passages found by words.
 */
function inTurn({ sides }: Findings) {
  const lists = sides.map(({ found: { hits, linked } }) => [
    ...linked.map(({ passage }) => passage),
    ...hits,
  ]);
  const most = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: most }, (_, n) => lists.flatMap((list) => list.slice(n, n + 1))).flat();
}

/** Writes one answer. */
class Writing {
  readonly #deps: GeneratingDeps;
  readonly #context: AnswerContext;
  readonly #findings: Findings;
  readonly #documents: readonly GivenDocument[];
  readonly #byId: ReadonlyMap<string, GivenDocument>;
  readonly #grounds: ReadonlyMap<string, Ground>;
  /** The question, whose words a sentence may repeat. */
  readonly #asked: Ground;
  readonly #signal: AbortSignal;
  /** Stops the model when no more text is needed. */
  readonly #stop = new AbortController();
  readonly #ending: AbortSignal;
  readonly #reader: SecondReading | null;
  readonly #record: WrittenSentence[] = [];
  readonly #calls = new Map<
    string,
    ModelUsage & { purpose: 'write' | 'check' | 'repair'; model: string; count: number }
  >();
  #system = '';
  #promptVersion = 0;
  #repeats: (text: string) => boolean = () => false;
  /** The text that the model has written so far. */
  #written = '';
  #repairs = 0;
  /** The text that has been shown so far. */
  #answer = '';
  #namedLayers = '';
  /** The layer of the edition that is being shown, if two editions are compared. */
  #side = '';
  #leftOut = 0;
  #unverified = false;

  constructor(
    deps: GeneratingDeps,
    context: AnswerContext,
    findings: Findings,
    documents: readonly GivenDocument[],
    signal: AbortSignal,
  ) {
    this.#deps = deps;
    this.#context = context;
    this.#findings = findings;
    this.#documents = documents;
    this.#byId = new Map(documents.map((one) => [one.id, one]));
    this.#grounds = new Map(documents.map(({ id, passage }) => [id, Ground.of(passage)]));
    this.#asked = new Ground(context.whole, context.lang);
    this.#signal = signal;
    this.#ending = AbortSignal.any([signal, this.#stop.signal]);
    this.#reader =
      deps.verifier &&
      new SecondReading(deps.verifier, {
        question: context.whole,
        withinMs: deps.verifyMs,
        signal: this.#ending,
        onUsage: (usage) => this.#count('check', deps.verifier!.name, usage),
      });
  }

  async *parts(): AsyncGenerator<AnswerPart, void, undefined> {
    const { version, content } = await this.#deps.prompt();
    this.#promptVersion = version;
    this.#system = instructions(content, { ...this.#context, compares: this.#findings.compares === true });
    this.#repeats = repeatsInstructions(
      this.#system,
      this.#documents.flatMap(({ title, text }) => [title, text]),
    );
    let finish: 'stop' | 'length' = 'stop';
    let failed = false;
    let shown = 0;
    /** Units that passed their checks. They are held back until a sentence answers the question. */
    let waiting: [WrittenUnit, Outcome][] = [];
    /** The head of a list, which is shown together with the first item. */
    let head: WrittenUnit | null = null;
    /** Whether the previous unit was omitted, and whether the head of the list was omitted. */
    let isLost = false;
    let isHeadLost = false;
    try {
      for await (const next of gathered(this.#held(), () => null)) {
        if ('finish' in next) {
          finish = next.finish;
          continue;
        }
        const { unit } = next;
        const outcome = await next.outcome;
        if (!unit.isItem && isLost) head = null;
        const leans: boolean = unit.isItem ? isHeadLost : isLost && this.#leans(unit, outcome);
        const fault: string | null =
          outcome.fault ?? (leans ? 'It depends on a sentence that was left out.' : null);
        isLost = fault !== null;
        if (!unit.isItem) isHeadLost = unit.isHead && isLost;
        if (unit.isHead && fault === null) {
          head = unit;
          continue;
        }
        if (fault !== null) {
          this.#leftOut++;
          this.#record.push({ ...outcome.record, reason: outcome.record.reason ?? fault, start: null });
          // Without a second reading, it is unknown whether the rest is an answer if the first sentence is omitted.
          if (shown === 0 && waiting.length === 0 && (this.#reader === null || outcome.unread)) break;
          continue;
        }
        if (outcome.unread && this.#deps.unverified === 'extract') {
          failed = true;
          break;
        }
        waiting.push([head ? { ...unit, gap: `${head.gap}${head.text}${unit.gap}` } : unit, outcome]);
        head = null;
        if (shown === 0 && !outcome.answers) continue;
        for (const [one, passed] of waiting) {
          if (shown++ === 0) yield* this.#opened();
          yield* this.#show(one, passed);
        }
        waiting = [];
        if (this.#context.style === 'brief' && shown >= briefSentences) break;
      }
    } catch (error) {
      if (this.#signal.aborted || !(error instanceof Failure)) throw error;
      failed = true;
    } finally {
      this.#stop.abort();
    }
    if (shown > 0) return yield* this.#closing(failed ? 'length' : finish, failed);
    for (const [, { record }] of waiting) this.#record.push({ ...record, start: null });
    yield* failed || this.#written.trim() === '' ? this.#without() : this.#refusal();
  }

  /** Yields the units, whose checks have been started, then the reason why the model stopped. */
  async *#held(): AsyncGenerator<Held | { finish: 'stop' | 'length' }, void, undefined> {
    for await (const part of unitsOf(this.#stream())) {
      if ('finish' in part) {
        this.#count('write', this.#deps.generator.name, part.usage ?? {});
        yield { finish: part.finish };
        continue;
      }
      const before = this.#written;
      this.#written += part.gap + part.text;
      // Text after a refusal is ignored, but the stream is read to the end, which reports the usage.
      if (before.startsWith(declined) || part.text.startsWith(declined)) continue;
      if (this.#repeats(before.slice(-400) + part.gap + part.text))
        throw new Failure('unavailable', 'The model repeated its instructions.');
      const outcome = this.#checked(part, before);
      // Rejections are handled where the outcome is awaited.
      outcome.catch(() => {});
      yield { unit: part, outcome };
    }
  }

  async *#stream(): AsyncGenerator<GeneratedPart, void, undefined> {
    const { generator, maxTokens } = this.#deps;
    const { style, turns, question, whole } = this.#context;
    const request = {
      system: this.#system,
      messages: [
        ...turns
          .slice(-turnsSent)
          .map(({ role, content }) => ({ role, content: content.slice(0, unitsPerTurn) })),
        { role: 'user' as const, content: turns.length > 0 ? question : whole },
      ],
      documents: this.#given(),
      maxTokens: style === 'brief' ? Math.ceil(maxTokens / 2) : maxTokens,
    };
    let units = 0;
    let citations = 0;
    for await (const part of generator.generate(request, this.#ending)) {
      if (part.type === 'text') units += part.text.length;
      else if (part.type === 'citation') citations++;
      // The request limits the length of the answer, but a model may ignore this limit.
      if (units > maxTokens * unitsPerToken || citations > citationsMax)
        throw new Failure('unavailable', 'The model wrote more than was requested.');
      yield part;
    }
  }

  #given() {
    return this.#documents.map(({ passage: _, ...fields }) => fields);
  }

  /** Checks a unit. If it fails, it is repaired once and checked again. */
  async #checked(unit: WrittenUnit, before: string): Promise<Outcome> {
    const first = await this.#judged(unit, before);
    if (first.fault === null || unit.isHead || first.record.verdict === 'silent') return first;
    if (this.#repairs++ >= repairsMax) return first;
    const repaired = await this.#repaired(unit, before, first.fault);
    if (repaired === null) return first;
    const second = await this.#judged(repaired, before);
    const record = { ...second.record, repaired_from: unit.text, reason: second.fault ?? first.fault };
    return { ...second, record };
  }

  /** Checks a unit by code and by the second reading. */
  async #judged(unit: WrittenUnit, before: string): Promise<Outcome> {
    // Yields to other work, because several sentences may be completed at the same time.
    await setImmediate();
    const { lang } = this.#context;
    const documents = unit.cites.flatMap((id) => this.#byId.get(id) ?? []);
    const outcome = (
      fault: string | null,
      more: Partial<Outcome> & { verdict: WrittenSentence['verdict'] },
    ): Outcome => {
      const { verdict, quotations = [], ...rest } = more;
      const quotes = quotations.map((one) => ({ ref: refOf(one.document.passage), quote: quoteOf(one) }));
      const record = { text: unit.text, verdict, reason: fault, repaired_from: null, quotes };
      return {
        text: unit.text,
        fault,
        quotations,
        answers: true,
        leans: false,
        unread: false,
        record,
        ...rest,
      };
    };
    const spoken = this.#languageOf(unit.text);
    // If no passage is in the asker's language, the model may answer in the language of the passages.
    const isForeign = spoken !== lang && this.#documents.some(({ passage }) => passage.chunk.lang === lang);
    if (isForeign)
      return outcome(`It is not in the language of the question (${lang}).`, { verdict: 'code' });
    const cited = documents.length > 0 || unit.isHead ? documents : this.#documents;
    const grounds = [
      ...(unit.isHead ? this.#documents : cited).map(({ id }) => this.#grounds.get(id)!),
      this.#asked,
    ];
    const fault = faultOf(unit.text, { lang: spoken, grounds });
    if (unit.isHead) return outcome(fault, { verdict: 'code' });
    if (fault !== null && documents.length > 0) return outcome(fault, { verdict: 'code' });
    const reading = await this.#reader?.read({ text: unit.text, before, documents: cited });
    if (reading) return this.#read(reading, fault, outcome);
    if (documents.length === 0) return outcome('It cites no passage.', { verdict: 'code', unread: true });
    const quotations = documents.slice(0, 2).map((one) => nearestSentence(unit.text, one));
    return outcome(null, { verdict: 'unverified', unread: true, quotations });
  }

  #read(
    { verdict, reason, quotations, answers, leans }: Judgement,
    fault: string | null,
    outcome: (
      fault: string | null,
      more: Partial<Outcome> & { verdict: WrittenSentence['verdict'] },
    ) => Outcome,
  ): Outcome {
    // A sentence that only states what is missing needs no support.
    if (verdict === 'silent') return outcome(null, { verdict, answers: false, leans });
    const isSupported = verdict === 'supported' && fault === null;
    return outcome(isSupported ? null : (fault ?? reason), { verdict, quotations, answers, leans });
  }

  /** Has the model rewrite a sentence. Returns null if the model drops it or is unavailable. */
  async #repaired(unit: WrittenUnit, before: string, reason: string): Promise<WrittenUnit | null> {
    const { generator, maxTokens } = this.#deps;
    const request = {
      system: this.#system,
      messages: [
        { role: 'user' as const, content: this.#context.whole },
        { role: 'assistant' as const, content: `${before}${unit.gap}${unit.text}`.trim() },
        { role: 'user' as const, content: repairRequest(unit.text, reason) },
      ],
      documents: this.#given(),
      maxTokens: Math.min(maxTokens, 200),
    };
    let text = '';
    const cites = new Set<string>();
    try {
      const signal = AbortSignal.any([this.#ending, AbortSignal.timeout(this.#deps.verifyMs)]);
      for await (const part of generator.generate(request, signal)) {
        if (part.type === 'text') text += part.text;
        else if (part.type === 'citation') for (const id of part.documents) cites.add(id);
        else this.#count('repair', generator.name, part.usage ?? {});
        if (text.length > 3 * unit.text.length + 200) return null;
      }
    } catch (error) {
      if (this.#ending.aborted || !(error instanceof Failure)) throw error;
      return null;
    }
    text = text.trim();
    if (text === '' || text.startsWith(declined) || this.#repeats(text)) return null;
    return { ...unit, text, cites: [...cites] };
  }

  #languageOf(text: string) {
    const { lang } = this.#context;
    return words(text).length < languageWords ? lang : detectLanguage(text, undefined, lang);
  }

  /** Whether a unit depends on the previous unit, which was omitted. */
  #leans(unit: WrittenUnit, outcome: Outcome): boolean {
    if (outcome.leans) return true;
    return leansOn[this.#context.lang].has(words(unit.text)[0] ?? '');
  }

  /**
   * Yields the opening, and the notes before the answer: that it gives no opinion, or that it is based on documents in
   * another language or on former text.
   */
  *#opened(): globalThis.Generator<AnswerPart> {
    const sources = this.#documents.map(({ passage }) => recordedSource(passage));
    yield { type: 'opening', mode: this.#mode(), sources, citations: [], paraphrases: true };
    const { lang, leading, corpus } = this.#context;
    const fixed = phrases[lang];
    const [first] = this.#documents;
    const before: string[] = [];
    if (this.#documents.every(({ passage }) => passage.chunk.lang !== lang))
      before.push(fixed.otherLanguage(first!.passage.chunk.lang));
    if (leading) before.push(fixed.verdict);
    if (this.#mode() === 'historical') {
      const titles = new Set(
        this.#documents.map(({ passage }) => layerTitle(corpus.layers, passage.facts.layer.name, lang)),
      );
      this.#namedLayers = `${[...titles].join(', ')} (${fixed.superseded}):`;
      before.push(this.#namedLayers);
    }
    if (before.length > 0) yield this.#append(before.map((line) => `${line}\n\n`).join(''));
  }

  #mode(): Mode {
    const { compares, sides } = this.#findings;
    if (compares) return 'comparison';
    return sides[0].edition === 'superseded' ? 'historical' : 'ordinary';
  }

  /** Shows a unit with the citations that support it. */
  *#show(unit: WrittenUnit, { quotations, record, text, unread }: Outcome): globalThis.Generator<AnswerPart> {
    const label = this.#labelFor(text, quotations);
    const isFirst = this.#answer === '' || this.#answer.endsWith('\n\n');
    const between = label !== '' && this.#mode() === 'comparison' ? '\n\n' : unit.gap || ' ';
    yield this.#append((isFirst ? unit.gap.trimStart() : between) + label);
    const start = this.#answer.length;
    yield this.#append(text);
    this.#record.push({ ...record, start });
    if (unread) this.#unverified = true;
    for (const quotation of quotations) {
      const { passage } = quotation.document;
      const { revision, content_hash } = passage.facts;
      const citation: Citation = {
        ...{ start, end: this.#answer.length, ref: refOf(passage), quote: quoteOf(quotation) },
        ...{ source_start: passage.chunk.start + quotation.start, revision, content_hash },
        ...pageOf(passage, quotation.start),
      };
      yield { type: 'citation', citation };
    }
  }

  /**
   * The label before a sentence that is based on a layer other than the leading one; '' if the layer has already been
   * named.
   */
  #labelFor(text: string, quotations: readonly Quotation[]): string {
    const { corpus, lang } = this.#context;
    const layers = quotations.map(({ document }) => document.passage.facts.layer);
    const leading = layersOf(corpus, 'current')[0]?.name;
    const [other] = layers;
    const isSuperseded = other?.kind === 'superseded';
    const fixed = phrases[lang];
    if (other && this.#mode() === 'comparison' && this.#documents.some(isFormer)) {
      // If two editions are compared, each is named at the beginning of its part.
      if (other.name === this.#side) return '';
      this.#side = other.name;
      const state = isSuperseded ? fixed.superseded : fixed.inForce;
      return `${layerTitle(corpus.layers, other.name, lang)} (${state}): `;
    }
    if (!other || layers.some(({ name }) => name === leading)) return '';
    if (!isSuperseded && layersOf(corpus, 'current').length < 2) return '';
    const title = layerTitle(corpus.layers, other.name, lang);
    const isNamed = `${this.#namedLayers} ${text}`.toLowerCase().includes(title.toLowerCase());
    this.#namedLayers += ` ${title}`;
    return isNamed ? '' : `${title}${isSuperseded ? ` (${fixed.superseded})` : ''}: `;
  }

  #append(text: string): AnswerPart {
    this.#answer += text;
    return { type: 'text', text };
  }

  #count(purpose: 'write' | 'check' | 'repair', model: string, usage: Partial<ModelUsage>): void {
    const key = `${purpose} ${model}`;
    const { input_tokens = 0, output_tokens = 0 } = usage;
    const so = this.#calls.get(key) ?? {
      ...{ purpose, model, count: 0 },
      ...{ input_tokens: 0, output_tokens: 0, embed_tokens: 0, search_units: 0 },
    };
    so.count++;
    so.input_tokens += input_tokens;
    so.output_tokens += output_tokens;
    this.#calls.set(key, so);
  }

  /** The part of the closing that describes how the answer was written. */
  #facts() {
    const calls = [...this.#calls.values()];
    return {
      model: this.#deps.generator.name,
      prompt_version: this.#promptVersion,
      prompt_sha256: promptHash(this.#system),
      usage: {
        input_tokens: calls.reduce((sum, one) => sum + one.input_tokens, 0),
        output_tokens: calls.reduce((sum, one) => sum + one.output_tokens, 0),
      },
      writing: {
        verifier: this.#reader?.name ?? null,
        sentences: this.#record,
        calls: calls.map(({ purpose, model, count, input_tokens, output_tokens }) => ({
          ...{ purpose, model, count, input_tokens, output_tokens },
        })),
      },
    };
  }

  *#closing(finish: 'stop' | 'length', failed: boolean): globalThis.Generator<AnswerPart> {
    const fixed = phrases[this.#context.lang];
    const notes = [
      ...(this.#leftOut > 0 ? [fixed.leftOut] : []),
      ...(this.#unverified ? [fixed.unverified] : []),
      ...(asksForAll.test(this.#context.question) ? [fixed.listOpen] : []),
    ];
    if (notes.length > 0) yield this.#append(`\n\n${notes.join(' ')}`);
    yield {
      ...{ type: 'closing', finish, ...this.#facts() },
      ...(failed && { degraded: true }),
      ...(this.#unverified && { unverified: true }),
    };
  }

  /** States in fixed phrases that the model found no answer, or none with support, and lists the nearest passage. */
  *#refusal(): globalThis.Generator<AnswerPart> {
    const cited = new Set(this.#record.flatMap(({ quotes }) => quotes.map(({ ref }) => ref)));
    const nearest = passagesOf(this.#findings).find((one) => cited.has(refOf(one)));
    const refusal = withholdNear(this.#context, this.#findings.sides[0].found, nearest);
    for (const part of partsOf(refusal)) yield part.type === 'closing' ? { ...part, ...this.#facts() } : part;
  }

  /** Yields the answer composed without the model. */
  *#without(): globalThis.Generator<AnswerPart, void, undefined> {
    for (const part of partsOf(this.#findings.compose(this.#context)))
      yield part.type === 'closing' ? { ...part, usage: this.#facts().usage, degraded: true } : part;
  }
}

const isFormer = ({ passage }: GivenDocument): boolean => passage.facts.layer.kind === 'superseded';

const quoteOf = ({ document, start, end }: Quotation): string => document.passage.text.slice(start, end);

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
