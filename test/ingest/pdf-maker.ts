/** Creates PDFs of Latin text with content at given positions on each page. */
import { bytes } from './fixtures.ts';

export interface Words {
  x: number;
  y: number;
  text: string;
  /** Default: 10. */
  size?: number;
  /** `code`: all glyphs have the same width, which only the width table reveals; `courier` is known to be monospaced. */
  font?: 'text' | 'bold' | 'code' | 'courier';
  /** Rotation of the text in quarter turns, anticlockwise. */
  turn?: 1 | 2 | 3;
}

export interface Page {
  words: Words[];
  /** Rotation of the displayed page in degrees. */
  rotate?: number;
  /** Annotation dictionaries. */
  annotations?: string[];
  /** An image that covers the whole page. */
  picture?: boolean;
  /** A font that does not map its glyphs to characters. */
  unmapped?: boolean;
}

const matrices: Record<0 | 1 | 2 | 3, string> = {
  0: '1 0 0 1',
  1: '0 1 -1 0',
  2: '-1 0 0 -1',
  3: '0 -1 1 0',
};
const width = 800;
const height = 800;

const fonts = { text: 'F1', bold: 'F2', code: 'F4', courier: 'F5' };

export function makePdf(pages: readonly Page[], trailer = ''): Uint8Array {
  const objects: string[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    stream(
      `0 0`,
      '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
    ),
    [
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [ 32',
      Array.from(
        { length: 95 },
        (_, n) => `/uniE${(0x100 + n).toString(16).padStart(3, '0').toUpperCase()}`,
      ).join(' '),
      '] >> >>',
    ].join(' '),
    `<< /Type /Font /Subtype /Type1 /BaseFont /Unheard /FirstChar 32 /LastChar 126 /Widths [${'602 '.repeat(95)}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
  ];
  const kids: string[] = [];
  for (const { words, rotate = 0, annotations = [], picture = false, unmapped = false } of pages) {
    const content = words
      .map(({ x, y, text, size = 10, font = 'text', turn }) => {
        return `BT /${unmapped ? 'F3' : fonts[font]} ${size} Tf ${matrices[turn ?? 0]} ${x} ${y} Tm (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`;
      })
      .join('\n');
    objects.push(stream(`${picture ? `q ${width} 0 0 ${height} 0 0 cm /Im Do Q\n` : ''}${content}`));
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${rotate} ` +
        `/Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 6 0 R /F4 7 0 R /F5 8 0 R >> /XObject << /Im 5 0 R >> >> ` +
        `/Contents ${objects.length} 0 R /Annots [${annotations.map((one) => `<< /Type /Annot ${one} >>`).join(' ')}] >>`,
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`;
  return rawPdf(objects, trailer);
}

/** A PDF of these objects, of which the first is its catalog. `trailer`: additional entries of its trailer. */
export function rawPdf(objects: string[], trailer = ''): Uint8Array {
  let file = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [n, object] of objects.entries()) {
    offsets.push(file.length);
    file += `${n + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return bytes(
    `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF`,
  );
}

function stream(content: string, more = ''): string {
  return `<< ${more} /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

/** The lines of one column, the first at `y`. */
export function column(x: number, y: number, lines: readonly string[], size = 10): Words[] {
  return lines.map((text, n) => ({ x, y: y - n * size * 1.3, text, size }));
}
