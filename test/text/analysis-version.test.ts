/**
 * Read models store the results of text analysis, so a new `analysisVersion` rebuilds them. This test detects a change
 * of the results: it hashes the analysis of a fixed sample, and the tables behind it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projections } from '../../projections/index.ts';
import { analysisVersion } from '../../src/text/analysis-version.ts';
import { identityOf } from '../../src/text/question-identity.ts';
import { questionWords, stopWords } from '../../src/text/stopwords.ts';
import { prefix, secondStem, stem, words } from '../../src/text/words.ts';

/** The current version and the hash of its results. Both change together, or neither does. */
const recorded = { version: 4, hash: '932dce64f78999cacd49927ff4a9672070ec2a8093639f27a50ddac53a624591' };

const lines = (name: string) =>
  readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean);

const ofWord = (word: string) => [word, stem(word), secondStem(word), prefix(word)];

describe('text analysis', () => {
  it('has the same results as before, or another version', () => {
    const hash = createHash('sha256');
    const add = (value: unknown) => hash.update(`${JSON.stringify(value)}\n`);
    for (const line of lines('analysis-sample.txt')) add(words(line).map(ofWord));
    for (const line of lines('analysis-questions.txt')) add(identityOf(line));
    add([[...stopWords].sort(), [...questionWords].sort()]);
    // If only the hash differs, raise analysisVersion, then record both here.
    expect({ version: analysisVersion, hash: hash.digest('hex') }).toEqual(recorded);
  });

  it('is part of the version of every projection that stores it', () => {
    const storing = projections.filter(
      ({ name, collections }) =>
        ['chunks', 'faq'].includes(name) ||
        collections.some(({ fields }) => Object.values(fields).includes('text')),
    );
    expect(storing.map(({ name }) => name)).toEqual(expect.arrayContaining(['chunks', 'faq', 'queries']));
    for (const { name, version } of storing) expect([name, version % 1000]).toEqual([name, analysisVersion]);
  });
});
