/** The knowledge graph on the command line, as a process and as GraphML. */
import { expect, test } from 'vitest';
import { graphml } from '../../src/cli/graph.ts';
import { ended, startCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';

test('GraphML contains the names from the texts, all escaped', async () => {
  const said = { count: 2, source_refs: ['a#1', 'b<#2'], places: [] };
  const nodes = [{ id: 'name:<x> & "y"', kind: 'person' as const, name: 'A\u0001\ud800B', ...said }];
  const edges = [{ from: 'name:<x> & "y"', to: 'name:z', relation: 'holds' as const, ...said }];
  const lines = [...graphml('a"b', { nodes, edges })];
  const refs = (of: string) => `<data key="${of}-source_refs">a#1\nb&lt;#2</data>`;
  expect(lines.slice(9)).toEqual([
    '<graph id="a&quot;b" edgedefault="directed">',
    `<node id="name:&lt;x&gt; &amp; &quot;y&quot;"><data key="node-kind">person</data><data key="node-name">A\ufffd\ufffdB</data><data key="node-count">2</data>${refs('node')}</node>`,
    `<edge source="name:&lt;x&gt; &amp; &quot;y&quot;" target="name:z"><data key="edge-relation">holds</data><data key="edge-count">2</data>${refs('edge')}</edge>`,
    '</graph>',
    '</graphml>',
  ]);
});

test('a graph can be queried and exported completely', async () => {
  const rules =
    '# Rules\n\n## Article 1. Fees\n\nA fee is paid as Article 2 says.\n\n## Article 2. Dues\n\nDues are paid in May.\n';
  const scratch = newFolder('graph', { 'rules/rules.md': rules });
  const run = (...args: string[]) => ended(startCommand(scratch, args));
  expect(await run('ingest', './rules', '--corpus', 'rules')).toMatchObject({ status: 0 });

  const query = (...args: string[]) => run('graph', 'query', ...args);
  const [asked, shown, held, none, deep, json, xml] = await Promise.all([
    query('Article 2', '--json'),
    query('Article 2'),
    query('Article 2', '--relation', 'holds'),
    query('Article 99'),
    query('Article 2', '--depth', '4'),
    run('graph', 'export', '--format', 'json'),
    run('graph', 'export'),
  ]);
  expect(asked).toMatchObject({ status: 0 });
  const refers = {
    from: 'provision:rules:article 1',
    to: 'provision:rules:article 2',
    relation: 'refers_to',
    count: 1,
    source_refs: ['rules#1'],
  };
  expect(JSON.parse(asked.stdout).edges).toContainEqual(expect.objectContaining(refers));
  expect(shown.stdout).toContain('Rules: Article 1\trefers_to\tRules: Article 2\t1\trules#1\n');
  expect(held.stdout).not.toContain('refers_to');
  expect(none).toMatchObject({ stdout: '', status: 3 });
  expect(deep).toMatchObject({ status: 2 });

  const whole = JSON.parse(json.stdout);
  expect(whole.edges).toContainEqual(expect.objectContaining(refers));
  expect(xml.stdout.match(/<node /g)).toHaveLength(whole.nodes.length);
  expect(xml.stdout.match(/<edge /g)).toHaveLength(whole.edges.length);
});
