/**
 * What is recorded about a verification: that it took place, its extent, and the differences, without names that
 * identify an asker.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openApp } from '../../src/app.ts';
import { recordedReport } from '../../src/history/verify-and-record.ts';
import { storyConfig, writeLibrary } from '../stories/story.ts';
import { newFolder } from '../support/folder.ts';

it('differences are counted by kind of entry', () => {
  const difference = (name: string) => ({ name, kind: 'changed' as const, fields: ['doc.count'] });
  const report = {
    same: false,
    events: 9,
    projections: [
      {
        projection: 'faq',
        version: 2,
        build: 5,
        checkpoint: '0000000000000009',
        entries: 20,
        differences: [
          difference('record faq was ist das'),
          difference('record faq wer'),
          difference('word das'),
        ],
        more: true,
      },
    ],
  };
  expect(recordedReport(report)).toEqual({
    same: false,
    events: 9,
    projections: [
      {
        projection: 'faq',
        version: 2,
        checkpoint: '0000000000000009',
        entries: 20,
        differences: { 'record faq': 2, word: 1 },
        more: true,
      },
    ],
  });
});

it('a report is recorded, and appears in the audit log', async () => {
  const folder = newFolder('verified');
  writeLibrary(join(folder, 'library'));
  const app = await openApp(storyConfig(folder, {}), { asksSoon: false });
  try {
    const path = join(folder, 'library');
    await app.ingest({ path, actor: 'system' });
    const report = await app.verifyProjections();
    await app.caughtUp();
    const { items } = await app.admin.auditLog({ action: 'projections.verify', limit: 10, offset: 0 });
    expect(items).toMatchObject([{ actor: 'system', detail: { same: true, events: report.events } }]);
    const acting = { name: 'aidar', request_id: 'r' };
    const { items: events } = await app.admin.events(
      { direction: 'backwards', limit: 1, type: 'ReadModelsVerified' },
      acting,
    );
    expect(events[0]!.data).toEqual(recordedReport(report));
  } finally {
    await app.close();
  }
});
