import { ActionIcon, Button } from './controls/Button.tsx';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Hint } from './Hint.tsx';

export interface ActionButtonProps {
  readonly children: ReactNode;
  readonly onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  readonly type?: 'button' | 'submit';
  readonly variant?: 'default' | 'filled' | 'subtle' | 'light';
  readonly color?: 'accent' | 'danger';
  readonly icon?: ReactNode;
  readonly loading?: boolean;
  /** The accessible name, if the label alone is ambiguous. */
  readonly label?: string;
  /** Present: the button is disabled and shows this reason on hover and focus. */
  readonly disabledReason?: string | undefined;
  /** What the enabled button says on hover and focus, for example why the click will not succeed now. */
  readonly hint?: string | undefined;
  readonly form?: string;
}

/** The library disables a loading button, and a disabled element loses the focus to the body. */
const enabledRoot = ({ disabled: _disabled, ...root }: ComponentProps<'button'>) => <button {...root} />;

/**
 * A button that, while disabled, explains why and what would enable it. It stays focusable, because the keyboard cannot reach
 * the reason of a control with the `disabled` attribute. While loading it keeps the focus and ignores clicks.
 */
export function ActionButton(props: ActionButtonProps): ReactNode {
  const { children, onClick, type = 'button', variant = 'default', color = 'accent', icon, loading = false, form } = props;
  const disabled = props.disabledReason !== undefined;
  return (
    <Hint text={props.disabledReason ?? props.hint}>
      {(describedBy) => (
        <Button
          variant={variant}
          color={color}
          loading={loading}
          leftSection={icon}
          type={type}
          {...(form === undefined ? {} : { form })}
          {...(props.label === undefined ? {} : { 'aria-label': props.label })}
          {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
          {...(disabled ? { 'data-disabled': true, 'aria-disabled': true } : {})}
          {...(loading ? { 'aria-disabled': true, 'aria-busy': true } : {})}
          renderRoot={enabledRoot}
          onClick={(event) => {
            if (disabled || loading) event.preventDefault();
            else onClick?.(event);
          }}
        >
          {children}
        </Button>
      )}
    </Hint>
  );
}

export interface IconButtonProps {
  /** Its accessible name, shown as a hint too. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly onClick?: () => void;
  readonly disabled?: boolean;
}

/** A button that is only an icon, with a name. */
export function IconButton({ label, icon, onClick, disabled = false }: IconButtonProps): ReactNode {
  return (
    <Hint text={label}>
      {() => (
        <ActionIcon aria-label={label} disabled={disabled} onClick={() => onClick?.()}>
          {icon}
        </ActionIcon>
      )}
    </Hint>
  );
}
