/** The text of a page as it is read: pieces with their places, on sheets of one direction each. */
import type { getDocumentProxy } from 'unpdf';

export type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** A piece of text with one font, as the reader gives it; `text` may be blank. */
export interface Piece {
  text: string;
  x: number;
  /** Of the baseline, from the lower edge, in points. */
  y: number;
  width: number;
  /** Height of the letters, in points. */
  size: number;
  font: string;
  endsLine: boolean;
  /** Belongs to the text before it, however far away: the value behind the label of a field. */
  joins?: true;
  /** Of text read from a picture, 0 to 1. */
  confidence?: number;
}

/** Text of one page that runs in one direction. */
export interface Sheet {
  page: number;
  height: number;
  /** Its text runs against that of the page, as in a margin. */
  turned?: true;
  pieces: Piece[];
}

/** x and y of a page's own coordinates as of a sheet's. */
export type ToSheet = (x: number, y: number) => [x: number, y: number];
