/** Tiny files in every format, generated in code. */
import { strToU8, zipSync } from 'fflate';
import type { IngestDeps } from '../../src/ingest/ingest.ts';
import { mainLayer } from '../../src/ingest/layers.ts';
import type { ParsePool } from '../../src/ingest/parse-pool.ts';
import { type PreparedDocument, type PrepareInput, prepareFile } from '../../src/ingest/prepare.ts';

export const bytes = (text: string): Uint8Array => strToU8(text);

/** The parser's input for a file with these bytes. */
export function asked(
  name: string,
  content: string | Uint8Array,
  said: Partial<PrepareInput> = {},
): PrepareInput {
  return {
    path: name,
    bytes: typeof content === 'string' ? bytes(content) : content,
    doc_key: name.replace(/\.[^.]*$/, ''),
    hints: {},
    layers: { layers: [mainLayer], said: null },
    ...said,
  };
}

/** The only document in a file with these bytes. */
export async function prepareOne(
  name: string,
  content: string | Uint8Array,
  said: Partial<PrepareInput> = {},
): Promise<PreparedDocument> {
  const prepared = await prepareFile(asked(name, content, said));
  if (!('document' in prepared)) throw new Error(`${name} is not a single document`);
  return prepared.document;
}

/** The reason a file is rejected. */
export async function refusal(name: string, content: string | Uint8Array): Promise<string> {
  try {
    await prepareFile(asked(name, content));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'taken in';
}

/** Read models without documents. */
export const fakeReads: IngestDeps['reads'] = {
  find: async () => ({ items: [], total: 0 }),
  getMany: async (_, keys) => keys.map(() => null),
};

/** A parser pool for files of one document each. */
export const poolOf = (prepare: ParsePool['prepare']): ParsePool => ({
  prepare,
  records: () => {
    throw new Error('There is no file of many records.');
  },
  close: async () => {},
});

/** `[chunk_index, path joined by ">", text]` of each chunk. */
export function outline({ text, chunks }: PreparedDocument): [string, string, string][] {
  return chunks.map((chunk) => [
    chunk.chunk_index,
    chunk.path.join(' > '),
    text.slice(chunk.start, chunk.end),
  ]);
}

export function zip(files: Record<string, string>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

export interface DocxParts {
  body: string;
  numbering?: string;
  styles?: string;
  footnotes?: string;
}

export function docx({ body, numbering, styles, footnotes }: DocxParts): Uint8Array {
  return zip({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<?xml version="1.0"?><w:document><w:body>${body}</w:body></w:document>`,
    ...(numbering ? { 'word/numbering.xml': `<w:numbering>${numbering}</w:numbering>` } : {}),
    ...(styles ? { 'word/styles.xml': `<w:styles>${styles}</w:styles>` } : {}),
    ...(footnotes ? { 'word/footnotes.xml': `<w:footnotes>${footnotes}</w:footnotes>` } : {}),
  });
}

/** `more`: further files of the archive. */
export const odt = (text: string, styles = '', more: Record<string, string> = {}): Uint8Array =>
  zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${text}</office:text></office:body></office:document-content>`,
    ...more,
  });

/** A DOCX paragraph; `properties` go into w:pPr. */
export function p(text: string, properties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export function xlsx(sheets: Record<string, string>, strings: string[] = [], styles = ''): Uint8Array {
  const names = Object.keys(sheets);
  return zip({
    'xl/workbook.xml': `<workbook><sheets>${names.map((name, n) => `<sheet name="${name}" sheetId="${n + 1}" r:id="r${n + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names.map((_, n) => `<Relationship Id="r${n + 1}" Target="worksheets/sheet${n + 1}.xml"/>`).join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    ...Object.fromEntries(
      names.map((name, n) => [
        `xl/worksheets/sheet${n + 1}.xml`,
        `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
  });
}
