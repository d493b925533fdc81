/** The text of a page: pieces with their positions, on sheets that each have one text direction. */
import type { getDocumentProxy } from 'unpdf';

export type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** A piece of text in a single font, as returned by the PDF library; `text` may be blank. */
export interface TextRun {
  text: string;
  x: number;
  /** Height of the baseline above the lower edge, in points. */
  y: number;
  width: number;
  /** Height of the letters, in points. */
  size: number;
  font: string;
  endsLine: boolean;
  /** Whether it belongs to the preceding text at any distance, like a value after a field label. */
  joins?: true;
  /** Recognition confidence from 0 to 1, for text recognised from an image. */
  confidence?: number;
}

/** The text of a page that runs in one direction. */
export interface Sheet {
  page: number;
  height: number;
  /** Whether the text runs in a different direction from the page, as in a margin. */
  turned?: true;
  pieces: TextRun[];
}

/** Converts x and y from page coordinates to sheet coordinates. */
export type ToSheet = (x: number, y: number) => [x: number, y: number];
