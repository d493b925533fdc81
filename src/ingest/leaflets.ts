/**
 * Recognises question-and-answer leaflets in any format: a question that is numbered, bold or labelled "Question" and
 * has an answer below it becomes the heading of that answer. A single match may be a coincidence, so several are
 * required.
 */

import { type Block, firstLine, type MarkedText, textOfBlock } from '../formats/blocks.ts';
import { isStruck, sliceMarked } from '../formats/inline-marks.ts';
import { follows, readPoint } from '../formats/provisions.ts';
import { anyOf, wordsOfAll } from '../language/index.ts';
import { asks, splitSentences } from '../text/sentences.ts';

/** Deeper than any heading level in the format. */
const belowAll = 9;
const longestQuestion = 40;
const severalMarked = 2;
/** Unmarked questions count only if there are many of them and they make up a large part of the text. */
const severalPlain = { count: 3, share: 0.2 };

const named = new RegExp(
  `^${anyOf(...wordsOfAll('documents.questionColumn'))}\\s*(?:№\\s*)?(?:\\d{1,3}\\s*)?[.:)–—-]\\s*(?=\\S)`,
  'iu',
);

interface AskedBlock {
  question: string;
  /** The text after the question in the same block. */
  rest: MarkedText;
  marked: boolean;
}

/** A question without its number or label. */
export function bareQuestion(line: string): string {
  const point = readPoint(line);
  const bare = line.slice(point?.marker.length ?? 0).trim();
  return bare.replace(named, '') || bare || line;
}

/** The blocks of a leaflet with its questions as headings. Other documents are unchanged. */
export function readLeaflet(blocks: readonly Block[]): Block[] {
  const asked = blocks.map(readAsked);
  const answered = asked.map((one, n) => one !== null && (one.rest.text !== '' || hasBody(blocks, asked, n)));
  const marked = asked.filter((one, n) => one?.marked && answered[n]).length;
  const plain = asked.filter((one, n) => one && !one.marked && answered[n]).length;
  const headings = blocks.filter((block) => block.kind === 'heading' && asks(block.text)).length;
  const texts = blocks.filter((block) => block.kind === 'paragraph' || block.kind === 'item').length;
  const takesMarked = marked > 0 && marked + headings >= severalMarked;
  const takesPlain = plain >= severalPlain.count && plain >= severalPlain.share * texts;
  if (!takesMarked && !takesPlain) return [...blocks];
  return blocks.flatMap((block, n): Block[] => {
    const one = asked[n];
    if (!one || !answered[n] || !(one.marked ? takesMarked : takesPlain)) return [block];
    const { page, confidence } = block;
    const place = { page, confidence };
    const heading: Block = { ...place, kind: 'heading', level: belowAll, text: one.question };
    return one.rest.text === '' ? [heading] : [heading, { ...place, kind: 'paragraph', ...one.rest }];
  });
}

function readAsked(block: Block): AskedBlock | null {
  if ((block.kind !== 'paragraph' && block.kind !== 'item') || isStruck(block)) return null;
  const { text, lead = '' } = block;
  const whole = textOfBlock(block).replace(/^–\s+/, '');
  const marker = whole.slice(0, whole.length - text.length);
  /** `end` is the end of the question in the text. */
  const ask = (question: string, end: number, marked: boolean): AskedBlock | null => {
    if (question.split(/\s+/).length > longestQuestion) return null;
    const from = text.length - text.slice(end).trimStart().length;
    return {
      question: marker + question.replaceAll('\n', ' '),
      rest: sliceMarked(block, from, text.trimEnd().length),
      marked,
    };
  };
  if (asks(lead) && text.startsWith(lead)) return ask(lead, lead.length, true);
  const mark = readPoint(whole);
  const numbered = (mark !== null && mark.style !== 'parts') || named.test(text);
  const [line = ''] = text.split('\n', 1);
  if (asks(line)) {
    const plain = block.kind === 'paragraph' && /^[\p{Lu}«"„]/u.test(line);
    return numbered || plain ? ask(line, line.length, numbered) : null;
  }
  if (!numbered) return null;
  // A question and answer in one paragraph: "1. When? Tomorrow."
  const [first, ...others] = splitSentences(text);
  if (!first || others.length === 0 || !asks(text.slice(first.start, first.end)) || asks(text)) return null;
  return ask(text.slice(first.start, first.end), first.end, true);
}

/** Whether the next block can be an answer, rather than the next point of the same list. */
function hasBody(blocks: readonly Block[], asked: readonly (AskedBlock | null)[], n: number): boolean {
  const next = blocks[n + 1];
  if (next === undefined || ['heading', 'end', 'pair'].includes(next.kind) || asked[n + 1] !== null)
    return false;
  const [own, other] = [readPoint(firstLine(blocks[n]!)), readPoint(firstLine(next))];
  return !own || !other || own.style !== other.style || !follows(own.parts, other.parts);
}
