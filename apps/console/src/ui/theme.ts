import { type MantineColorsTuple, createTheme, type CSSVariablesResolver, localStorageColorSchemeManager } from '@mantine/core';

const accent: MantineColorsTuple = [
  '#e9f0fd',
  '#d3e1fb',
  '#a6c3f7',
  '#79a5f3',
  '#6d9dff',
  '#4d82e6',
  '#3a73de',
  '#2b68da',
  '#1f5fd6',
  '#1a52ba',
];
const danger: MantineColorsTuple = [
  '#fdeceb',
  '#fad5d3',
  '#f4aca8',
  '#ff9a93',
  '#f0847d',
  '#e5484d',
  '#d33b36',
  '#c22f28',
  '#b3261e',
  '#98201a',
];

/** The colours of a variant as tokens, so that light and dark share one table. */
function variantColors(color: string | undefined, variant: string) {
  const bad = color === 'danger';
  const border = '1px solid transparent';
  switch (variant) {
    case 'filled':
      return bad
        ? { background: 'var(--bad-fill)', hover: 'var(--bad-hover)', color: 'var(--bad-ink)', border }
        : { background: 'var(--accent)', hover: 'var(--accent-hover)', color: 'var(--accent-ink)', border };
    case 'light':
      return bad
        ? { background: 'var(--bad-soft)', hover: 'var(--bad-soft)', color: 'var(--bad)', border }
        : { background: 'var(--accent-soft)', hover: 'var(--accent-soft-hover)', color: 'var(--accent)', border };
    case 'subtle':
    case 'transparent':
      return {
        background: 'transparent',
        hover: variant === 'subtle' ? 'var(--sunken)' : 'transparent',
        color: bad ? 'var(--bad)' : 'var(--ink-2)',
        border,
      };
    default:
      return {
        background: 'var(--surface)',
        hover: 'var(--sunken)',
        color: bad ? 'var(--bad)' : 'var(--ink)',
        border: '1px solid var(--line-strong)',
      };
  }
}

/** The component library with the theme of `tokens.css`. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 8, dark: 8 },
  colors: { accent, danger },
  fontFamily: 'var(--font)',
  defaultRadius: 8,
  cursorType: 'pointer',
  respectReducedMotion: true,
  variantColorResolver: ({ color, variant }) => variantColors(color, variant),
  components: {
    Button: {
      defaultProps: { variant: 'default' },
      vars: () => ({ root: { '--button-height': '32px', '--button-padding-x': '12px' } }),
    },
    ActionIcon: { defaultProps: { variant: 'subtle' }, vars: () => ({ root: { '--ai-size': '32px' } }) },
  },
});

/** Library colours that follow the tokens in both schemes. */
const shared = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-3)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--ink-3)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
  '--mantine-primary-color-contrast': 'var(--accent-ink)',
};

/** Maps the library's variables onto the tokens. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });

/** Where light, dark or automatic is stored; the sign-in page and the static pages read the same key. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'highline.scheme' });
