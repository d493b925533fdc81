/** compose.yaml, .env.example and the Dockerfile are consistent with each other and with the service's settings. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig, variables } from '../src/config.ts';
import { onPath } from './support/own-server.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

interface Service {
  image?: string;
  build?: string;
  profiles?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string; required?: boolean }>;
  healthcheck?: { test?: unknown; disable?: boolean };
  volumes?: string[];
  deploy?: { resources?: { limits?: Record<string, unknown> } };
}

const source = read('compose.yaml');
const compose = parse(source, { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const services = Object.entries(compose.services);
const example = read('.env.example');
/** Commented-out settings, with their values. */
const suggested = [...example.matchAll(/^#([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
  ([, name, value]): [string, string] => [name!, value!],
);
/** Variables that Compose itself fills in. */
const interpolated = new Set([...source.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name!));

test('every service has limits on memory, processors and processes', () => {
  for (const [name, { deploy }] of services)
    expect([name, Object.keys(deploy?.resources?.limits ?? {})]).toEqual([name, ['memory', 'cpus', 'pids']]);
});

test('services start in the order of their health checks', () => {
  for (const [name, { depends_on = {} }] of services)
    for (const [other, { condition, required }] of Object.entries(depends_on)) {
      expect([name, other, condition]).toEqual([name, other, 'service_healthy']);
      const needed = compose.services[other]!;
      // Built services use the image's health check.
      expect([other, needed.healthcheck?.test !== undefined || needed.build !== undefined]).toEqual([
        other,
        true,
      ]);
      // An inactive profile blocks no other service.
      expect([name, other, needed.profiles === undefined || required === false]).toEqual([name, other, true]);
    }
  expect(read('Dockerfile')).toMatch(/^HEALTHCHECK /m);
});

test('images have a version and, except that of EventStoreDB, a digest', () => {
  const images = services.flatMap(([, { image, build }]) =>
    image === undefined || build !== undefined ? [] : [/^\$\{\w+:-(.+)\}$/.exec(image)?.[1] ?? image],
  );
  const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!);
  const pinned = /^[\w./-]+:\d[\w.-]*@sha256:[0-9a-f]{64}$/;
  expect([...images, ...bases].filter((image) => !pinned.test(image))).toEqual([
    expect.stringMatching(/^eventstore\/eventstore:23\.10\.\d+-[\w-]+$/),
  ]);
});

test('volumes are declared', () => {
  const named = services.flatMap(([, { volumes = [] }]) =>
    volumes.map((volume) => volume.split(':')[0]!).filter((one) => /^[a-z][\w-]*$/.test(one)),
  );
  expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort());
});

test('the settings in compose.yaml exist', () => {
  for (const name of Object.keys(compose.services['docent-1']!.environment!))
    expect(Object.keys(variables)).toContain(name);
});

test('.env.example lists only existing settings, and everything that Compose fills in', () => {
  const known = new Set([...Object.keys(variables), ...interpolated]);
  for (const [name] of suggested) expect([name, known.has(name)]).toEqual([name, true]);
  const names = suggested.map(([name]) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of interpolated) expect(names).toContain(name);
});

test('.env.example sets nothing by default, and its suggested values are valid', () => {
  expect(example.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  const values = suggested.filter(([, value]) => value !== '' && !/[<…]/.test(value));
  expect(() =>
    readConfig({ ...Object.fromEntries(values), OPENAI_CHAT_MODEL: 'a-model' }, 'there is no such file'),
  ).not.toThrow();
});

const hasCompose = onPath('docker') && spawnSync('docker', ['compose', 'version']).status === 0;

test.skipIf(!hasCompose)('docker compose accepts the file, with every profile', () => {
  const profiles = ['tools', 'scans', 'models'].flatMap((name) => ['--profile', name]);
  execFileSync('docker', ['compose', ...profiles, 'config', '--quiet'], { cwd: root, stdio: 'pipe' });
});

test.skipIf(!onPath('hadolint'))('hadolint finds no problem in the Dockerfile', () => {
  execFileSync('hadolint', ['Dockerfile'], { cwd: root, stdio: 'pipe' });
});
