import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Group, type GroupDetails, groupQuery } from '../../../entities/groups/group.api.ts';
import { ViewDevices } from '../move/ViewDevices.tsx';
import { ControlledGroup } from './ControlledGroup.tsx';

/** What a user sees after clicking a group: its devices, and with Full Control a way to change it (OLD-01). */
export function UserGroup({ group, onClose }: { group: Group; onClose: () => void }): ReactNode {
  const details = useQuery(groupQuery(group.group)).data;
  const [edited, setEdited] = useState<{ group: GroupDetails; etag: string | undefined }>();
  if (edited !== undefined) return <ControlledGroup group={edited.group} etag={edited.etag} onClose={onClose} />;
  const isControlled = details?.group.control === 'full';
  return <ViewDevices group={group} onClose={onClose} {...(isControlled ? { onEdit: () => setEdited(details) } : {})} />;
}
