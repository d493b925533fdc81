/** Colours, sizes and defaults. Dimmed and coloured text is darker than Mantine's, for sufficient contrast. */
import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type VariantColorsResolver,
} from '@mantine/core';

const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const name = input.color ?? input.theme.primaryColor;
  if (input.variant === 'light' && name in input.theme.colors)
    return {
      ...colors,
      color: `light-dark(color-mix(in srgb, var(--mantine-color-${name}-9), black 45%), var(--mantine-color-${name}-2))`,
    };
  if ((input.variant === 'subtle' || input.variant === 'transparent') && name in input.theme.colors)
    return { ...colors, color: `light-dark(var(--mantine-color-${name}-8), var(--mantine-color-${name}-3))` };
  return colors;
};

export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.875rem' } },
  },
  variantColorResolver,
  components: {
    Button: { defaultProps: { size: 'xs' } },
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs', autosize: true, minRows: 3 } },
    Select: { defaultProps: { size: 'xs', allowDeselect: true, checkIconPosition: 'right' } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    TagsInput: { defaultProps: { size: 'xs' } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 } },
    NavLink: { styles: { description: { opacity: 1, color: 'var(--mantine-color-dimmed)' } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
  },
});

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#495057',
    '--mantine-color-placeholder': '#6b7178',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#1556a8',
    '--docent-surface': '#ffffff',
    '--docent-ground': '#f7f8fa',
    '--docent-line': '#e3e6ea',
    '--docent-hover': '#f0f3f7',
    '--docent-chosen': '#e6eef9',
    '--docent-mark': '#fff3bf',
    '--docent-added': '#d9f2df',
    '--docent-removed': '#fde2e0',
  },
  dark: {
    '--mantine-color-body': '#16181c',
    '--mantine-color-dimmed': '#a9afb7',
    '--mantine-color-placeholder': '#a3aab3',
    '--mantine-color-error': '#ff9b92',
    '--mantine-color-anchor': '#8cbcff',
    '--docent-surface': '#1c1f24',
    '--docent-ground': '#16181c',
    '--docent-line': '#2d3138',
    '--docent-hover': '#23272d',
    '--docent-chosen': '#20324d',
    '--docent-mark': '#5c4a10',
    '--docent-added': '#173d24',
    '--docent-removed': '#4a1f1c',
  },
});
