/** The dashboard and the alert rules use only existing metrics and labels. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Health } from '../src/operations/health.ts';
import { CoreMetrics } from '../src/operations/metrics/core.ts';
import { DoorMetrics } from '../src/operations/metrics/doors.ts';
import { onPath } from './support/own-server.ts';

const file = (name: string) => fileURLToPath(new URL(`../docs/monitoring/${name}`, import.meta.url));
const dashboard = JSON.parse(readFileSync(file('dashboard.json'), 'utf8'));
const alerts = parse(readFileSync(file('alerts.yaml'), 'utf8')) as {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
};
const rules = alerts.groups.flatMap((group) => group.rules);

/** Prometheus's own metrics, and the labels it adds. */
const prometheusMetrics = ['up'];
const prometheusLabels = ['instance', 'job', 'le'];

/** Each metric with its labels, as shown by /metrics. */
function metricsOfService(): Map<string, readonly string[]> {
  const registry = new Registry();
  new CoreMetrics(registry);
  new DoorMetrics({ health: () => ({}) as Health }, () => 0, registry);
  collectDefaultMetrics({ register: registry });
  const all = new Map<string, readonly string[]>(prometheusMetrics.map((name) => [name, []]));
  for (const metric of registry.getMetricsAsArray()) {
    const {
      name,
      labelNames = [],
      buckets,
    } = metric as unknown as { name: string; labelNames?: readonly string[]; buckets?: unknown };
    const suffixes = buckets === undefined ? [''] : ['_bucket', '_sum', '_count'];
    for (const suffix of suffixes) all.set(`${name}${suffix}`, labelNames);
  }
  return all;
}

const known = metricsOfService();
const functions = [
  ...['rate', 'increase', 'sum', 'min', 'max', 'by', 'and', 'topk', 'histogram_quantile', 'label_values'],
];

/** Names in an expression that the service does not have. */
function faultsOf(expression: string): string[] {
  const faults: string[] = [];
  const labels = new Set(prometheusLabels);
  const names = expression
    .replace(/"[^"]*"/g, '""')
    .replace(/\{[^}]*\}|\[[^\]]*\]|\bby\s*\([^)]*\)/g, ' ')
    .matchAll(/[a-zA-Z_:][\w:]*/g);
  const variablesOfQuery = /^label_values\([^,]+, (\w+)\)$/.exec(expression)?.[1];
  for (const [name] of names) {
    if (functions.includes(name) || name === variablesOfQuery) continue;
    if (!known.has(name)) faults.push(`metric ${name}`);
    for (const label of known.get(name) ?? []) labels.add(label);
  }
  const selected = [...expression.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside]) =>
    [...inside!.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
  );
  const grouped = [...expression.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, inside]) =>
    inside!.split(',').map((label) => label.trim()),
  );
  for (const label of [...selected, ...grouped, ...(variablesOfQuery ? [variablesOfQuery] : [])])
    if (!labels.has(label)) faults.push(`label ${label}`);
  return faults;
}

test('an unknown metric or label is detected', () => {
  expect(faultsOf('sum by (corpse) (rate(docent_questions_total{chanel="http"}[5m]))')).toEqual([
    'metric docent_questions_total',
    'label chanel',
    'label corpse',
  ]);
});

test('the alert rules use only existing names', () => {
  expect(rules.length).toBeGreaterThan(5);
  for (const { alert, expr } of rules) expect([alert, ...faultsOf(expr)]).toEqual([alert]);
});

test('every alert says what to do, and is in the table of the page', () => {
  const page = readFileSync(fileURLToPath(new URL('../docs/monitoring.md', import.meta.url)), 'utf8');
  for (const { alert, annotations } of rules) {
    expect(Object.keys(annotations)).toEqual(['summary', 'action']);
    expect(page).toContain(`| \`${alert}\` |`);
  }
});

test('the dashboard uses only existing names', () => {
  const panels = dashboard.panels as { title: string; targets: { expr: string }[] }[];
  expect(panels.length).toBeGreaterThan(5);
  for (const { title, targets } of panels)
    for (const { expr } of targets) expect([title, ...faultsOf(expr)]).toEqual([title]);
  const queries = (dashboard.templating.list as { query: string | { query: string } }[]).flatMap(
    ({ query }) => (typeof query === 'string' ? [] : [query.query]),
  );
  for (const query of queries) expect([query, ...faultsOf(query)]).toEqual([query]);
});

test('the metrics listed on the page exist', () => {
  const page = readFileSync(fileURLToPath(new URL('../docs/monitoring.md', import.meta.url)), 'utf8');
  const bases = [...known.keys()].map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
  for (const [, name] of page.matchAll(/`(docent_\w+)`/g))
    expect([name, bases.includes(name!)]).toEqual([name, true]);
});

test.skipIf(!onPath('promtool'))('promtool finds no problem in the rules', () => {
  execFileSync('promtool', ['check', 'rules', file('alerts.yaml')], { stdio: 'pipe' });
});
