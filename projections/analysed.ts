/** Versions of projections that store analysed text: in text fields, in the search index, as keys of questions. */
import { analysisVersion } from '../src/text/analysis-version.ts';

const analysisVersions = 1000;

/** The projection's own version and that of the analysis in one: either of them raised has it rebuilt. */
export const analysed = (version: number): number => version * analysisVersions + analysisVersion;
