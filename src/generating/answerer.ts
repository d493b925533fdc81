/**
 * Answers written by a model. Each sentence is checked before it is shown (sentence-check.ts). A sentence that fails the
 * checks is sent back once for repair; a sentence that has been shown is never withdrawn. The model decides whether
 * there is an answer, and a second reading decides whether the passages support it. Everything that requires no
 * interpretation is checked by code.
 *
 * Only if the model fails before anything has been shown, the answer is composed without a model. Text that must be
 * verbatim (dated quotations, changes over time) is never written by a model.
 */
import { hash } from 'node:crypto';
import type { Answerer } from '../answering/answerer.ts';
import { passagesOf } from '../answering/kinds/findings.ts';
import type { Findings } from '../answering/kinds/kind.ts';
import { partsOf } from '../answering/writing/builder.ts';
import type { AnswerContext } from '../answering/writing/context.ts';
import type { AnswerPart } from '../answering/writing/parts.ts';
import { withholdNear } from '../answering/writing/refusal.ts';
import { leansOn } from '../answering/writing/sentences.ts';
import { refOf } from '../answering/writing/sources.ts';
import { gathered } from '../async/gathered.ts';
import type { ModelCalls, WrittenSentence } from '../domain/events.ts';
import { Failure } from '../failures.ts';
import type { GeneratedPart, Generator, ModelUsage, StructuredModel } from '../ports/models.ts';
import { words } from '../text/words.ts';
import { documentsOf, type GivenDocument } from './documents.ts';
import { declined, instructions, repeatsInstructions } from './prompt.ts';
import { SecondReading } from './second-reading.ts';
import { type Outcome, SentenceCheck } from './sentence-check.ts';
import { ShownAnswer } from './shown-answer.ts';
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

/** A unit of the answer and the pending result of its check. */
interface Held {
  unit: WrittenUnit;
  outcome: Promise<Outcome>;
}

/** A model is stopped if it exceeds this number of UTF-16 units per permitted token, or this number of citations. */
const unitsPerToken = 16;
const citationsMax = 200;
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
      else yield* new Writing(deps, await deps.prompt(), { context, findings, documents }, signal).parts();
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
  readonly #signal: AbortSignal;
  /** Stops the model when no more text is needed. */
  readonly #stop = new AbortController();
  readonly #ending: AbortSignal;
  readonly #promptVersion: number;
  /** The request of the answer, without its messages. */
  readonly #request: { system: string; documents: Omit<GivenDocument, 'passage'>[]; maxTokens: number };
  readonly #repeats: (text: string) => boolean;
  readonly #check: SentenceCheck;
  readonly #shown: ShownAnswer;
  readonly #record: WrittenSentence[] = [];
  readonly #calls = new Map<string, ModelCalls>();
  /** The text that the model has written so far. */
  #written = '';
  #leftOut = false;
  #unverified = false;

  constructor(
    deps: GeneratingDeps,
    prompt: { version: number; content: string },
    task: { context: AnswerContext; findings: Findings; documents: readonly GivenDocument[] },
    signal: AbortSignal,
  ) {
    const { context, findings, documents } = task;
    const { generator, verifier, verifyMs, maxTokens } = deps;
    this.#deps = deps;
    this.#context = context;
    this.#findings = findings;
    this.#signal = signal;
    this.#ending = AbortSignal.any([signal, this.#stop.signal]);
    this.#promptVersion = prompt.version;
    const system = instructions(prompt.content, { ...context, compares: findings.compares === true });
    this.#request = { system, documents: documents.map(({ passage: _, ...fields }) => fields), maxTokens };
    this.#repeats = repeatsInstructions(
      system,
      documents.flatMap(({ title, text }) => [title, text]),
    );
    const own = { question: context.whole, withinMs: verifyMs, signal: this.#ending };
    this.#check = new SentenceCheck({
      ...own,
      generator,
      documents,
      lang: context.lang,
      request: this.#request,
      repeats: this.#repeats,
      reader:
        verifier &&
        new SecondReading(verifier, {
          ...own,
          onUsage: (usage) => this.#count('check', verifier.name, usage),
        }),
      onRepair: (usage) => this.#count('repair', generator.name, usage),
    });
    this.#shown = new ShownAnswer(context, findings, documents);
  }

  async *parts(): AsyncGenerator<AnswerPart, void, undefined> {
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
          this.#leftOut = true;
          this.#record.push({ ...outcome.record, reason: outcome.record.reason ?? fault, start: null });
          // Without a second reading, it is unknown whether the rest is an answer if the first sentence is omitted.
          if (shown === 0 && waiting.length === 0 && (this.#deps.verifier === null || outcome.unread)) break;
          continue;
        }
        if (outcome.unread && this.#deps.unverified === 'extract') {
          failed = true;
          break;
        }
        waiting.push([head ? { ...unit, gap: `${head.gap}${head.text}${unit.gap}` } : unit, outcome]);
        head = null;
        if (shown === 0 && !outcome.answers) continue;
        for (const [{ gap }, { text, quotations, record, unread }] of waiting) {
          if (shown++ === 0) yield* this.#shown.open();
          this.#unverified ||= unread;
          const start = yield* this.#shown.add(gap, text, quotations);
          this.#record.push({ ...record, start });
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
      const outcome = this.#check.check(part, before);
      // Rejections are handled where the outcome is awaited.
      outcome.catch(() => {});
      yield { unit: part, outcome };
    }
  }

  async *#stream(): AsyncGenerator<GeneratedPart, void, undefined> {
    const { generator, maxTokens } = this.#deps;
    const { style, turns, question, whole } = this.#context;
    const request = {
      ...this.#request,
      messages: [
        ...turns
          .slice(-turnsSent)
          .map(({ role, content }) => ({ role, content: content.slice(0, unitsPerTurn) })),
        { role: 'user' as const, content: turns.length > 0 ? question : whole },
      ],
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

  /** Whether a unit depends on the previous unit, which was omitted. */
  #leans(unit: WrittenUnit, outcome: Outcome): boolean {
    return outcome.leans || leansOn[this.#context.lang].has(words(unit.text)[0] ?? '');
  }

  #count(
    purpose: ModelCalls['purpose'],
    model: string,
    { input_tokens = 0, output_tokens = 0 }: Partial<ModelUsage>,
  ): void {
    const key = `${purpose} ${model}`;
    const calls = this.#calls.get(key) ?? { purpose, model, count: 0, input_tokens: 0, output_tokens: 0 };
    calls.count++;
    calls.input_tokens += input_tokens;
    calls.output_tokens += output_tokens;
    this.#calls.set(key, calls);
  }

  /** The part of the closing that describes how the answer was written. */
  #facts() {
    const calls = [...this.#calls.values()];
    return {
      model: this.#deps.generator.name,
      prompt_version: this.#promptVersion,
      prompt_sha256: hash('sha256', this.#request.system),
      usage: {
        input_tokens: calls.reduce((sum, one) => sum + one.input_tokens, 0),
        output_tokens: calls.reduce((sum, one) => sum + one.output_tokens, 0),
      },
      writing: { verifier: this.#deps.verifier?.name ?? null, sentences: this.#record, calls },
    };
  }

  *#closing(finish: 'stop' | 'length', failed: boolean): globalThis.Generator<AnswerPart> {
    yield* this.#shown.close({ leftOut: this.#leftOut, unverified: this.#unverified });
    yield {
      type: 'closing',
      finish,
      ...this.#facts(),
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
