/** The sample corpora. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from '../../src/app-port.ts';

const folder = fileURLToPath(new URL('../../samples/', import.meta.url));
export const sampleCorpora: readonly string[] = ['krk_2026', 'reestr_texts'];

/** Ingests the samples, and resolves when the read models have caught up. */
export async function takeInSamples(app: App): Promise<void> {
  for (const corpus of sampleCorpora) {
    const report = await app.ingest({ path: join(folder, corpus), actor: 'system' });
    if (report.skipped.length > 0)
      throw new Error(`Not ingested: ${report.skipped.map(({ path: file }) => file).join(', ')}`);
  }
  await app.caughtUp();
}
