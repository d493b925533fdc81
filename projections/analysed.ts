/** Versions of projections that store analysed text: in text fields, in the search index, or as question keys. */
import { analysisVersion } from '../src/text/analysis-version.ts';

const analysisVersions = 1000;

/** Combines the projection's own version with the version of the analysis. Raising either one triggers a rebuild. */
export const analysed = (version: number): number => version * analysisVersions + analysisVersion;
