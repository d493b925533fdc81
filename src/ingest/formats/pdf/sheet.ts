/** The text of a page as read: pieces with their positions, on sheets with one text direction each. */
import type { getDocumentProxy } from 'unpdf';

export type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** A piece of text in one font, as the PDF library returns it; `text` may be blank. */
export interface Piece {
  text: string;
  x: number;
  /** Height of the baseline above the lower edge, in points. */
  y: number;
  width: number;
  /** Height of the letters, in points. */
  size: number;
  font: string;
  endsLine: boolean;
  /** Belongs to the preceding text at any distance: the value after the label of a field. */
  joins?: true;
  /** Confidence of text recognised from an image, 0 to 1. */
  confidence?: number;
}

/** Text of one page with one direction. */
export interface Sheet {
  page: number;
  height: number;
  /** Whether its text runs in another direction than that of the page, as in a margin. */
  turned?: true;
  pieces: Piece[];
}

/** Converts x and y from page coordinates to those of a sheet. */
export type ToSheet = (x: number, y: number) => [x: number, y: number];
