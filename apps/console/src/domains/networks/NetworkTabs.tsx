import type { ReactNode } from 'react';
import { ClientsTab } from './ClientsTab.tsx';
import './networks.css';
import { UplinksTab } from './UplinksTab.tsx';
import { type NetworkTarget } from './WifiSteps.tsx';
import { WifiTab } from './WifiTab.tsx';

/** A part of a vehicle's networks as a tab of its device's page. */
export function NetworkTab({ part, target }: { part: 'uplinks' | 'wifi' | 'clients'; target: NetworkTarget }): ReactNode {
  if (part === 'wifi') return <WifiTab target={target} />;
  return part === 'uplinks' ? <UplinksTab device={target.device} /> : <ClientsTab device={target.device} />;
}
