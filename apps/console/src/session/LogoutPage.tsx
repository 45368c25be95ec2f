import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from '#i18n';
import { logOut } from './sign-out.ts';
import './login.css';

/** Confirms that every session of the account has ended, with a link to sign in again (AUTH-08). */
function Everywhere(): ReactNode {
  const { t } = useTranslation();
  return (
    <main className="login">
      <div className="card login__everywhere">
        <p role="status">{t('session.everywhere')}</p>
        <p>
          <a href="/login">{t('session.signIn')}</a>
        </p>
      </div>
    </main>
  );
}

/** /logout: ends the session and leads to /login (AUTH-05), or confirms that all sessions have ended (AUTH-08). */
export function LogoutPage(): ReactNode {
  const { everywhere }: { everywhere?: string } = useSearch({ strict: false });
  return everywhere === undefined ? <Leaving /> : <Everywhere />;
}

function Leaving(): ReactNode {
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
