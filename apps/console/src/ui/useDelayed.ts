import { useEffect, useState } from 'react';

/** True once `on` has held for `delay` ms: what loads quickly shows no skeleton. */
export function useDelayed(on: boolean, delay = 200): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!on) return undefined;
    const timer = setTimeout(() => setLate(true), delay);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [on, delay]);
  return on && late;
}
