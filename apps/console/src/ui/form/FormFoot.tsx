import type { ReactNode } from 'react';
import './form-foot.css';

/** The end of a long form, always in sight: what saving does, and the buttons that do it (P19). @param effect what saving does; empty while it does nothing */
export function FormFoot({ effect, children }: { readonly effect?: ReactNode; readonly children: ReactNode }): ReactNode {
  return (
    <div className="form-foot">
      <div className="form-foot__effect">{effect}</div>
      <div className="form-foot__buttons">{children}</div>
    </div>
  );
}
