/** Converts a page image (PNG, JPEG or TIFF) to blocks of text, if a text recogniser is installed. */
import { type ParsedDocument, Refusal } from '../formats/blocks.ts';
import { blocksOf } from './pdf.ts';
import { openRecogniser, wayToRecognise } from './recognise.ts';

export async function parseImage(bytes: Uint8Array): Promise<ParsedDocument> {
  const recogniser = await openRecogniser();
  if (recogniser === null)
    throw new Refusal(`no text: it is an image; ${wayToRecognise.replace('them', 'it')}`);
  const sheet = await recogniser.image(bytes);
  if (sheet === null) throw new Refusal('broken: not a readable image');
  const blocks = blocksOf([sheet], new Set(), 1);
  if (blocks.length === 0) throw new Refusal('empty: no text was recognised in the image');
  return { title: null, blocks, hints: {} };
}
