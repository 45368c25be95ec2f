import type { ComponentProps, HTMLAttributes, ReactNode } from 'react';
import './controls.css';

type Attributes = Omit<ComponentProps<'button'>, 'children' | 'className' | 'color' | 'disabled'>;

/** What an element gets to look and act like a button: the props of `renderRoot`. */
export type RootProps = HTMLAttributes<HTMLElement> & { readonly className: string; readonly children?: ReactNode };

export interface ButtonProps extends Attributes {
  readonly children?: ReactNode;
  readonly className?: string;
  readonly variant?: 'default' | 'filled' | 'light' | 'subtle' | undefined;
  readonly color?: 'accent' | 'danger' | undefined;
  readonly size?: 'xs';
  readonly disabled?: boolean | undefined;
  /** Shows that its action runs, and cannot be pressed meanwhile. */
  readonly loading?: boolean | undefined;
  readonly fullWidth?: boolean;
  readonly leftSection?: ReactNode;
  readonly rightSection?: ReactNode;
  /** Another element that looks like a button: a link. */
  readonly renderRoot?: (root: RootProps) => ReactNode;
}

const renderButton = (root: ComponentProps<'button'>) => <button type="button" {...root} />;

/** A button with a text. */
export function Button({
  children,
  className = '',
  variant = 'default',
  color,
  size,
  disabled,
  loading = false,
  fullWidth = false,
  leftSection,
  rightSection,
  renderRoot,
  ...attributes
}: ButtonProps): ReactNode {
  const root = {
    ...attributes,
    ...((disabled === true || loading) && { disabled: true }),
    className: `button ${className}`.trim(),
    'data-variant': variant,
    'data-danger': color === 'danger' || undefined,
    'data-size': size,
    'data-loading': loading || undefined,
    'data-wide': fullWidth || undefined,
    children: (
      <>
        {loading && <Spinner />}
        <span className="button__inner">
          {Boolean(leftSection) && (
            <span className="button__section" data-position="left">
              {leftSection}
            </span>
          )}
          <span className="button__label">{children}</span>
          {Boolean(rightSection) && (
            <span className="button__section" data-position="right">
              {rightSection}
            </span>
          )}
        </span>
      </>
    ),
  };
  return renderRoot === undefined ? renderButton(root) : renderRoot(root);
}

/** Shows that something runs. */
export function Spinner(): ReactNode {
  return <span className="spinner" aria-hidden="true" />;
}

export interface ActionIconProps extends Attributes {
  readonly children: ReactNode;
  readonly className?: string;
  readonly disabled?: boolean | undefined;
  readonly renderRoot?: (root: RootProps) => ReactNode;
}

/** A square button with an icon; its name is in `aria-label` or inside. */
export function ActionIcon({ className = '', disabled, renderRoot, ...attributes }: ActionIconProps): ReactNode {
  const root = { ...attributes, ...(disabled === true && { disabled: true }), className: `icon-button ${className}`.trim() };
  return renderRoot === undefined ? renderButton(root) : renderRoot(root);
}
