/** The usual ranges of the overview, as days in UTC, as the service counts them. */
const dayMs = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const presets = ['today', 'week', 'month', 'quarter', 'all'] as const;
export type Preset = (typeof presets)[number];

const lengths: Record<Exclude<Preset, 'all'>, number> = { today: 1, week: 7, month: 30, quarter: 90 };

type Range = { from?: string | undefined; to?: string | undefined };

export function rangeOf(preset: Preset, now = Date.now()): Range {
  if (preset === 'all') return { from: undefined, to: undefined };
  return { from: dayOf(now - (lengths[preset] - 1) * dayMs), to: dayOf(now) };
}

/** null: other days. */
export const presetOf = ({ from, to }: Range): Preset | null =>
  presets.find((preset) => {
    const range = rangeOf(preset);
    return range.from === from && range.to === to;
  }) ?? null;
