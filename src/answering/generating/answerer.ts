/**
 * Answers that a model writes from the passages found, told as they are written and checked before they end: what no
 * passage supports is taken back by a `replace`, and where nothing is left the answer is that nothing was found. Where
 * the model fails, or breaks a rule that a check of sentences does not see, the answer is the one made without it.
 *
 * What is asked for word for word (dated quotations, one thing in the course of time) is never a model's to write.
 */

import { gathered } from '../../async/gathered.ts';
import type { Citation, Mode, RecordedSource } from '../../domain/events.ts';
import { Failure } from '../../failures.ts';
import type { GeneratedPart, Generator, ModelUsage } from '../../ports/models.ts';
import { detectLanguage } from '../../text/language.ts';
import { withoutEnd } from '../../text/trimming.ts';
import { words } from '../../text/words.ts';
import type { AnswerContext, Answerer, AnswerPart } from '../answerer.ts';
import { nameOf } from '../extractive/comparison.ts';
import { asksForAll } from '../layout.ts';
import { phrases } from '../phrases.ts';
import { speaks } from '../refusal.ts';
import { type Findings, passagesOf, type Side } from '../retrieval.ts';
import { layersOf, layerTitle, localized, recordedSource, refOf } from '../sources.ts';
import { documentsOf, type GivenDocument } from './documents.ts';
import { type Cited, type Claim, ground, type Relevance } from './grounding.ts';
import { instructions, promptHash, repeatsInstructions } from './prompt.ts';

export interface GeneratingDeps {
  generator: Generator;
  /** The prompt in force. */
  prompt(): Promise<{ version: number; content: string }>;
  /** Answers where the model does not. */
  instead: Answerer;
  /** Of the answer to one question, in tokens. */
  maxTokens: number;
  /** Tells whether a passage in another language says what a sentence says; null: nothing does. */
  relevance: Relevance | null;
}

/** Why the answer was replaced, for its record and its reader. */
export const replacedReasons = {
  unsupported: 'Sentences that no source supports were taken out.',
  layers: 'What is commentary is called so.',
  brokeOff: 'The model broke off; what it had said with sources is left.',
  without: 'The model could not be relied on; this was answered without it.',
} as const;

/** A part of an answer that is written in one go. */
interface Section {
  /** Words of ours before it. */
  before: string;
  question: string;
  documents: GivenDocument[];
  /** Words of ours after it. */
  after: string;
}

/** What a model wrote for a section. */
interface SectionDraft {
  text: string;
  cited: Cited[];
  claims: Claim[];
}

/** The language of a shorter text is not detected reliably. */
const languageWords = 5;
/** How much of the previous answer is sent to the model where more is asked for, in UTF-16 units. */
const seenUnits = 3_000;
/** A model that writes more UTF-16 units for each token it may write, or cites oftener, is not heard to its end. */
const unitsPerToken = 16;
const citationsMax = 200;

export function createGeneratingAnswerer(deps: GeneratingDeps): Answerer {
  return {
    identity: async () => `${deps.generator.name} ${(await deps.prompt()).version}`,
    async *answer(context, findings, signal) {
      const spare: AnswerPart[] = [];
      for await (const part of deps.instead.answer(context, findings, signal)) spare.push(part);
      // Where there is no answer without a model, there is none with one.
      const refused = spare.some((part) => part.type === 'opening' && part.mode === 'no_answer');
      const sections = refused ? null : sectionsOf(context, findings);
      if (sections === null) yield* spare;
      else yield* new Writing(deps, context, findings, sections, spare, signal).parts();
    },
  };
}

/** What a model is to write; null where the words themselves are asked for. */
function sectionsOf(context: AnswerContext, { kind, sides }: Findings): Section[] | null {
  const [{ found, edition }] = sides;
  if (context.style !== null && context.style !== 'brief') return null;
  const fixed = phrases[context.lang];
  const whole = context.whole;
  if (kind === 'sides') {
    let firstId = 1;
    return sides.map((side) => {
      const documents = speaks(side) ? documentsOf(context, passagesOfSide(side), side.edition, firstId) : [];
      firstId += documents.length;
      return {
        before: `${nameOf(side, context)}:${documents.length === 0 ? ` ${fixed.nothingOn}` : '\n'}`,
        question: `${whole}\n(${side.label ?? nameOf(side, context)})`,
        documents,
        after: '',
      };
    });
  }
  if (kind === 'parts') {
    const answerable = sides.filter((side) => side.found.answerable);
    const missing = sides.filter((side) => !side.found.answerable);
    const documents = documentsOf(context, inTurn(answerable.map(passagesOfSide)), 'current');
    const after = missing
      .map(({ label, found }) => `\n\n${fixed.partMissing(asQuestion(label ?? found.question))}`)
      .join('');
    return [{ before: '', question: whole, documents, after }];
  }
  if (found.changes) return null;
  const documents = documentsOf(context, passagesOfSide(sides[0]), edition);
  return [{ before: opening(context, sides[0], documents), question: whole, documents, after: '' }];
}

/** What is said before the answer to one question: that it takes no side, rests on another language, is no longer in force. */
function opening(context: AnswerContext, { edition }: Side, documents: readonly GivenDocument[]): string {
  const fixed = phrases[context.lang];
  const before: string[] = [];
  const [first] = documents;
  if (first && documents.every(({ passage }) => passage.chunk.lang !== context.lang))
    before.push(fixed.otherLanguage(first.passage.chunk.lang));
  if (context.leading) before.push(fixed.verdict);
  const layers = layersOf(context.corpus, edition);
  const names = [...new Set(documents.map(({ passage }) => passage.facts.layer.name))];
  const titles = names.map((name) => layerTitle(layers, name, context.lang));
  if (edition === 'superseded') before.push(`${titles.join(', ')} (${fixed.superseded}):`);
  else if (layers.length > 1 && !names.includes(layers[0]!.name))
    before.push(fixed.onlyIn(layerTitle(layers, layers[0]!.name, context.lang), titles.join(', ')));
  return before.map((line) => `${line}\n\n`).join('');
}

/** The norm that a comment or an answer names, then what words have found. */
const passagesOfSide = ({ found: { hits, linked } }: Side) => [
  ...linked.provisions.map(({ passage }) => passage),
  ...hits,
];

/** The first of each list, then the second of each. */
function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const most = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: most }, (_, n) => lists.flatMap((list) => list.slice(n, n + 1))).flat();
}

const asQuestion = (text: string) =>
  `${withoutEnd(text.slice(0, 1).toUpperCase() + text.slice(1), /[\s?.!,]/)}?`;

/** The making of one answer. */
class Writing {
  readonly #deps: GeneratingDeps;
  readonly #context: AnswerContext;
  readonly #findings: Findings;
  /** The answer without the model, ready for when it is needed. */
  readonly #spare: readonly AnswerPart[];
  readonly #sections: readonly Section[];
  readonly #signal: AbortSignal;
  #answer = '';
  #isOpen = false;
  #usage: Pick<ModelUsage, 'input_tokens' | 'output_tokens' | 'search_units'> | null = null;
  #prompt = { version: 0, sha256: '' };

  constructor(
    deps: GeneratingDeps,
    context: AnswerContext,
    findings: Findings,
    sections: readonly Section[],
    spare: readonly AnswerPart[],
    signal: AbortSignal,
  ) {
    this.#deps = deps;
    this.#context = context;
    this.#findings = findings;
    this.#sections = sections;
    this.#spare = spare;
    this.#signal = signal;
  }

  async *parts(): AsyncGenerator<AnswerPart, void, undefined> {
    const { relevance } = this.#deps;
    const { version, content } = await this.#deps.prompt();
    const system = instructions(content, this.#context);
    this.#prompt = { version, sha256: promptHash(system) };
    const drafts: SectionDraft[] = [];
    let finish: 'stop' | 'length' = 'stop';
    let failed = false;
    /** Words of ours to be said before the next of the model. */
    let pending = '';
    for (const section of this.#sections) {
      const draft: SectionDraft = { text: '', cited: [], claims: [] };
      pending += section.before;
      drafts.push(draft);
      let isWhole = true;
      try {
        for await (const part of this.#written(section, system)) {
          if (part.type === 'end') {
            if (part.finish === 'length') finish = 'length';
            isWhole = part.finish === 'stop';
            this.#count(part.usage ?? {});
            continue;
          }
          if (part.type === 'citation') {
            draft.cited.push(part);
            continue;
          }
          if (!this.#isOpen) yield this.#opened();
          if (pending !== '') yield this.#append(pending);
          pending = '';
          draft.text += part.text;
          yield this.#append(part.text);
        }
      } catch (error) {
        if (this.#signal.aborted || !(error instanceof Failure)) throw error;
        failed = true;
        isWhole = false;
      }
      if (draft.text === '' && section.documents.length > 0) failed = true;
      draft.claims = await ground(draft.text, draft.cited, {
        passages: new Map(section.documents.map(({ id, passage }) => [id, passage])),
        lang: this.#context.lang,
        isWhole,
        isOpinion: this.#context.leading,
        relevance:
          relevance &&
          ((sentence, texts) =>
            relevance(sentence, texts, this.#signal, ({ search_units }) => this.#count({ search_units }))),
      });
      if (failed) break;
      pending += section.after !== '' ? section.after : section === this.#sections.at(-1) ? '' : '\n\n';
    }
    if (this.#isOpen && !failed && pending !== '') yield this.#append(pending);
    const supported = drafts.some(({ claims }) => claims.length > 0);
    const another = drafts.some(({ text }) => this.#isInAnotherLanguage(text));
    if (!this.#isOpen || another || (failed && !(supported && this.#sections.length === 1))) {
      yield* this.#without();
      return;
    }
    yield* this.#checked(drafts, { failed, finish: failed ? 'length' : finish });
  }

  /** What the model writes for a section, until it repeats its instructions. */
  async *#written(section: Section, system: string): AsyncGenerator<GeneratedPart, void, undefined> {
    const { documents, question } = section;
    if (documents.length === 0) return;
    const { generator, maxTokens } = this.#deps;
    const { more, seen, style } = this.#context;
    const messages = [
      ...(more && seen !== '' ? [{ role: 'assistant' as const, content: seen.slice(-seenUnits) }] : []),
      { role: 'user' as const, content: question },
    ];
    const repeats = repeatsInstructions(
      system,
      documents.flatMap(({ title, text }) => [title, text]),
    );
    let units = 0;
    let citations = 0;
    const given = documents.map(({ id, title, text }) => ({ id, title, text }));
    const request = {
      system,
      messages,
      documents: given,
      maxTokens: style === 'brief' ? Math.ceil(maxTokens / 2) : maxTokens,
    };
    const stop = new AbortController();
    const parts = generator.generate(request, AbortSignal.any([this.#signal, stop.signal]));
    try {
      for await (const part of gathered(parts, joined)) {
        if (part.type === 'text') {
          units += part.text.length;
          if (repeats(part.text)) throw new Failure('unavailable', 'The model repeats its instructions.');
        } else if (part.type === 'citation') citations++;
        // The request limits the length of an answer, but a model need not comply.
        if (units > maxTokens * unitsPerToken || citations > citationsMax)
          throw new Failure('unavailable', 'The model writes more than it was asked for.');
        yield part;
      }
    } finally {
      stop.abort();
    }
  }

  /** The opening; its sources are those of the answer without the model, too, which may take this one's place. */
  #opened(): AnswerPart {
    this.#isOpen = true;
    const other = this.#spare.find((part) => part.type === 'opening');
    const sources = new Map<string, RecordedSource>();
    for (const { documents } of this.#sections)
      for (const { passage } of documents)
        sources.set(keyOf(recordedSource(passage)), recordedSource(passage));
    for (const source of other?.sources ?? [])
      if (!sources.has(keyOf(source))) sources.set(keyOf(source), source);
    const known = new Set(passagesOf(this.#findings).map((one) => keyOf(recordedSource(one))));
    return {
      type: 'opening',
      mode: this.#mode(),
      sources: [...sources.values()].filter((one) => known.has(keyOf(one))),
      citations: [],
      paraphrases: true,
    };
  }

  #mode(): Mode {
    const { kind, sides } = this.#findings;
    if (kind === 'sides') return 'comparison';
    return sides[0].edition === 'superseded' ? 'historical' : 'ordinary';
  }

  #append(text: string): AnswerPart {
    this.#answer += text;
    return { type: 'text', text };
  }

  #count({ input_tokens = 0, output_tokens = 0, search_units = 0 }: Partial<ModelUsage>): void {
    this.#usage ??= { input_tokens: 0, output_tokens: 0, search_units: 0 };
    this.#usage.input_tokens += input_tokens;
    this.#usage.output_tokens += output_tokens;
    this.#usage.search_units += search_units;
  }

  #isInAnotherLanguage(text: string): boolean {
    const { lang } = this.#context;
    return words(text).length >= languageWords && detectLanguage(text, undefined, lang) !== lang;
  }

  /** The answer made without the model, in its own place or in that of what was said. */
  *#without(): globalThis.Generator<AnswerPart> {
    const spare = this.#spare;
    const closing = spare.find((part) => part.type === 'closing');
    const closed: AnswerPart = {
      ...(closing ?? { type: 'closing', finish: 'stop', model: null, prompt_version: null, usage: null }),
      usage: this.#usage,
      degraded: true,
    };
    if (!this.#isOpen) {
      yield* spare.filter((part) => part.type !== 'closing');
      yield closed;
      return;
    }
    const answer = spare.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    const mode = spare.find((part) => part.type === 'opening')?.mode ?? 'no_answer';
    yield { type: 'replace', mode, answer, reason: replacedReasons.without };
    yield* spare.filter((part) => part.type === 'citation');
    yield closed;
  }

  /** What of the answer stays, and its end. */
  *#checked(
    drafts: readonly SectionDraft[],
    { failed, finish }: { failed: boolean; finish: 'stop' | 'length' },
  ): globalThis.Generator<AnswerPart> {
    const { context, assembled } = { context: this.#context, assembled: this.#assembled(drafts) };
    const closing: AnswerPart = {
      type: 'closing',
      finish,
      model: this.#deps.generator.name,
      prompt_version: this.#prompt.version,
      prompt_sha256: this.#prompt.sha256,
      usage: this.#usage,
      ...(failed && { degraded: true }),
    };
    if (assembled.citations.length === 0) {
      const answer = phrases[context.lang].noAnswer(localized(context.corpus.title, context.lang));
      yield { type: 'replace', mode: 'no_answer', answer, reason: replacedReasons.unsupported };
      yield closing;
      return;
    }
    const open = asksForAll.test(context.question) ? `\n\n${phrases[context.lang].listOpen}` : '';
    if (assembled.answer !== this.#answer) {
      const reason = failed
        ? replacedReasons.brokeOff
        : assembled.relabelled
          ? replacedReasons.layers
          : replacedReasons.unsupported;
      yield { type: 'replace', mode: this.#mode(), answer: assembled.answer + open, reason };
    } else if (open !== '') yield this.#append(open);
    for (const citation of assembled.citations) yield { type: 'citation', citation };
    yield closing;
  }

  /** The answer with what is supported alone; nothing but white space differs from what was said where all of it is. */
  #assembled(drafts: readonly SectionDraft[]): {
    answer: string;
    citations: Citation[];
    relabelled: boolean;
  } {
    let answer = '';
    let relabelled = false;
    const citations: Citation[] = [];
    for (const [n, { text, claims }] of drafts.entries()) {
      const section = this.#sections[n]!;
      const kept = this.#context.style === 'brief' ? claims.slice(0, 2) : claims;
      const labels = this.#labels(section, text, kept);
      const lost = text !== '' && kept.length === 0;
      answer +=
        lost && this.#sections.length > 1
          ? `${section.before.trimEnd()} ${phrases[this.#context.lang].nothingOn}`
          : section.before;
      let last: Claim | null = null;
      for (const [k, claim] of kept.entries()) {
        if (last) answer += gap(text.slice(last.end, claim.start), this.#isNext(text, last, claim));
        else answer += leading(text, claim, claims[0] === claim);
        if (labels[k]) {
          answer += labels[k];
          relabelled = true;
        }
        const start = answer.length;
        answer += text.slice(claim.start, claim.end);
        for (const { passage, ...span } of claim.support)
          citations.push({
            start,
            end: answer.length,
            ref: refOf(passage),
            quote: passage.text.slice(span.start, span.end),
            source_start: passage.chunk.start + span.start,
            revision: passage.facts.revision,
            content_hash: passage.facts.content_hash,
          });
        last = claim;
      }
      // White space at the end of what was written is no change.
      if (last && text.slice(last.end).trim() === '') answer += text.slice(last.end);
      if (section.after !== '') answer += section.after;
      else if (n < drafts.length - 1) answer += '\n\n';
    }
    return { answer, citations, relabelled };
  }

  /** Nothing was taken out between two sentences. */
  #isNext(text: string, one: Claim, other: Claim): boolean {
    return text.slice(one.end, other.start).trim() === '';
  }

  /**
   * What each sentence must be introduced by: one that rests on another layer than the leading one names it, where the
   * reader was not told before.
   */
  #labels({ documents, before }: Section, text: string, claims: readonly Claim[]): string[] {
    const edition = documents[0]?.passage.facts.layer.kind === 'superseded' ? 'superseded' : 'current';
    const layers = layersOf(this.#context.corpus, edition);
    const leading = layers[0]?.name;
    if (edition === 'superseded' || layers.length < 2) return claims.map(() => '');
    const { lang } = this.#context;
    const isNorm = ({ support }: Claim) =>
      support.some(({ passage }) => passage.facts.layer.name === leading);
    let named = before;
    return claims.map((claim) => {
      if (isNorm(claim)) return '';
      const title = layerTitle(layers, claim.support[0]!.passage.facts.layer.name, lang);
      const isNamed = `${named} ${text.slice(claim.start, claim.end)}`
        .toLowerCase()
        .includes(title.toLowerCase());
      named += ` ${title}`;
      return isNamed ? '' : `${title}: `;
    });
  }
}

/** Two pieces of text as one; null where either is something else. */
const joined = (before: GeneratedPart, next: GeneratedPart): GeneratedPart | null =>
  before.type === 'text' && next.type === 'text' ? { type: 'text', text: before.text + next.text } : null;

const keyOf = ({ ref, revision }: RecordedSource) => `${ref} ${revision}`;

const gap = (between: string, isNext: boolean): string =>
  isNext ? between : between.includes('\n') ? '\n' : ' ';

/** White space before the first sentence, where that is the first that was written. */
const leading = (text: string, claim: Claim, isFirst: boolean): string =>
  isFirst && text.slice(0, claim.start).trim() === '' ? text.slice(0, claim.start) : '';
