import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { logOut } from './leave.ts';
import './login.css';

/** /logout: ends the session and leads to /login (AUTH-05). */
export function LogoutPage(): ReactNode {
  const { t } = useTranslation();
  useEffect(() => {
    void logOut();
  }, []);
  return (
    <main className="login">
      <p className="login__ended" role="status">
        {t('session.signingOut')}
      </p>
    </main>
  );
}
