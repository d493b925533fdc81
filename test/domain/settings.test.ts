import { expect, it } from 'vitest';
import type { DomainEvent } from '../../src/domain/events.ts';
import { settings } from '../../src/domain/settings.ts';
import { given } from './decider-spec.ts';

const by = { changed_at: '2026-01-01T10:00:00.000Z', changed_by: 'olga' };
const changed = (version: number, content: string): DomainEvent => ({
  type: 'SystemPromptChanged',
  data: { version, content, ...by },
});
const change = (content: string) => ({ type: 'ChangeSystemPrompt', content, ...by }) as const;

it('versions of the system prompt are counted from the built-in one', () => {
  const { state, when } = given(settings);
  expect(state.prompt).toMatchObject({ version: 0, changed_at: null, changed_by: null });
  when(change('Be brief.')).then(changed(1, 'Be brief.'));
  given(settings, changed(1, 'Be brief.')).when(change('Be kind.')).then(changed(2, 'Be kind.'));
  expect(given(settings, changed(1, 'Be brief.'), changed(2, 'Be kind.')).state.prompt).toEqual({
    version: 2,
    content: 'Be kind.',
    ...by,
  });
});

it('a change to the same text is ignored', () => {
  given(settings, changed(1, 'Be brief.')).when(change('Be brief.')).then();
  given(settings).when(change(settings.initial.prompt.content)).then();
});

it('an earlier version is restored as a new one with its content', () => {
  const restore = (version: number) => ({ type: 'RestoreSystemPrompt', version, ...by }) as const;
  const versions = given(settings, changed(1, 'Be brief.'), changed(2, 'Be kind.'));
  expect(versions.state.prompts.map(({ version }) => version)).toEqual([0, 1, 2]);
  versions.when(restore(1)).then({
    type: 'SystemPromptChanged',
    data: { version: 3, content: 'Be brief.', ...by, restored_from: 1 },
  });
  versions.when(restore(2)).then();
  versions.when(restore(3)).fails('not_found');
});
