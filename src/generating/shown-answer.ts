/** What a reader sees around the checked sentences of a model: notes, labels of layers and citations. */
import type { Findings } from '../answering/kinds/kind.ts';
import type { AnswerContext } from '../answering/writing/context.ts';
import type { AnswerPart } from '../answering/writing/parts.ts';
import { layersOf, layerTitle, pageOf, recordedSource, refOf } from '../answering/writing/sources.ts';
import type { Mode } from '../domain/events.ts';
import { asksForAll } from '../reading/answer-kinds.ts';
import { phrases } from '../text/phrases.ts';
import type { GivenDocument } from './documents.ts';
import type { Quotation } from './second-reading.ts';
import { quoteOf } from './sentence-check.ts';

/** The text of one answer as it grows. Its methods return the parts to send. */
export class ShownAnswer {
  readonly #context: AnswerContext;
  readonly #documents: readonly GivenDocument[];
  readonly #mode: Mode;
  #text = '';
  /** The labels shown so far. */
  #namedLayers = '';
  /** The layer of the edition that is being shown, if two editions are compared. */
  #side = '';

  constructor(context: AnswerContext, { compares, sides }: Findings, documents: readonly GivenDocument[]) {
    this.#context = context;
    this.#documents = documents;
    const ofOne = sides[0].edition === 'superseded' ? 'historical' : 'ordinary';
    this.#mode = compares ? 'comparison' : ofOne;
  }

  /**
   * The opening, and the notes before the answer: that it gives no opinion, or that it is based on documents in another
   * language or on former text.
   */
  *open(): Generator<AnswerPart> {
    const sources = this.#documents.map(({ passage }) => recordedSource(passage));
    yield { type: 'opening', mode: this.#mode, sources, citations: [], paraphrases: true };
    const { lang, asksJudgement, corpus } = this.#context;
    const fixed = phrases[lang];
    const [first] = this.#documents;
    const before: string[] = [];
    if (this.#documents.every(({ passage }) => passage.chunk.lang !== lang))
      before.push(fixed.otherLanguage(first!.passage.chunk.lang));
    if (asksJudgement) before.push(fixed.verdict);
    if (this.#mode === 'historical') {
      const titles = new Set(
        this.#documents.map(({ passage }) => layerTitle(corpus.layers, passage.facts.layer.name, lang)),
      );
      this.#namedLayers = `${[...titles].join(', ')} (${fixed.superseded}):`;
      before.push(this.#namedLayers);
    }
    if (before.length > 0) yield this.#append(before.map((line) => `${line}\n\n`).join(''));
  }

  /**
   * A sentence with the citations that support it. `gap`: the white space before it. Returns the offset at which it
   * begins.
   */
  *add(gap: string, text: string, quotations: readonly Quotation[]): Generator<AnswerPart, number> {
    const label = this.#labelFor(text, quotations);
    const isFirst = this.#text === '' || this.#text.endsWith('\n\n');
    const between = label !== '' && this.#mode === 'comparison' ? '\n\n' : gap || ' ';
    yield this.#append((isFirst ? gap.trimStart() : between) + label);
    const start = this.#text.length;
    yield this.#append(text);
    for (const quotation of quotations) {
      const { passage } = quotation.document;
      const { revision, content_hash } = passage.facts;
      yield {
        type: 'citation',
        citation: {
          start,
          end: this.#text.length,
          ref: refOf(passage),
          quote: quoteOf(quotation),
          source_start: passage.chunk.start + quotation.start,
          revision,
          content_hash,
          ...pageOf(passage, quotation.start),
        },
      };
    }
    return start;
  }

  /** The notes after the answer. */
  *close({ leftOut, unverified }: { leftOut: boolean; unverified: boolean }): Generator<AnswerPart> {
    const fixed = phrases[this.#context.lang];
    const notes = [
      ...(leftOut ? [fixed.leftOut] : []),
      ...(unverified ? [fixed.unverified] : []),
      ...(asksForAll.test(this.#context.question) ? [fixed.listOpen] : []),
    ];
    if (notes.length > 0) yield this.#append(`\n\n${notes.join(' ')}`);
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
    if (other && this.#mode === 'comparison' && this.#documents.some(isFormer)) {
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
    this.#text += text;
    return { type: 'text', text };
  }
}

const isFormer = ({ passage }: GivenDocument): boolean => passage.facts.layer.kind === 'superseded';
