/** Creates PDFs of Latin text with content at given positions on each page. */
import { rawPdf } from './fixtures.ts';

export interface Words {
  x: number;
  y: number;
  text: string;
  /** Default: 10. */
  size?: number;
  bold?: boolean;
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

export function makePdf(pages: readonly Page[]): Uint8Array {
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
  ];
  const kids: string[] = [];
  for (const { words, rotate = 0, annotations = [], picture = false, unmapped = false } of pages) {
    const content = words
      .map(({ x, y, text, size = 10, bold = false, turn }) => {
        const font = unmapped ? 'F3' : bold ? 'F2' : 'F1';
        return `BT /${font} ${size} Tf ${matrices[turn ?? 0]} ${x} ${y} Tm (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`;
      })
      .join('\n');
    objects.push(stream(`${picture ? `q ${width} 0 0 ${height} 0 0 cm /Im Do Q\n` : ''}${content}`));
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${rotate} ` +
        `/Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 6 0 R >> /XObject << /Im 5 0 R >> >> ` +
        `/Contents ${objects.length} 0 R /Annots [${annotations.map((one) => `<< /Type /Annot ${one} >>`).join(' ')}] >>`,
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`;
  return rawPdf(objects);
}

function stream(content: string, more = ''): string {
  return `<< ${more} /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

/** The lines of one column, the first at `y`. */
export function column(x: number, y: number, lines: readonly string[], size = 10): Words[] {
  return lines.map((text, n) => ({ x, y: y - n * size * 1.3, text, size }));
}
