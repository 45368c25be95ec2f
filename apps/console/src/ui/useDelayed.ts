import { useEffect, useState } from 'react';

/** True once `on` has been set for `delay` ms, so that fast loads show no skeleton. */
export function useDelayed(on: boolean, delay = 200): boolean {
  const [delayed, setDelayed] = useState(false);
  useEffect(() => {
    if (!on) return undefined;
    const timer = setTimeout(() => setDelayed(true), delay);
    return () => {
      clearTimeout(timer);
      setDelayed(false);
    };
  }, [on, delay]);
  return on && delayed;
}
