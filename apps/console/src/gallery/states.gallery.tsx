import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ActionButton } from '../ui/ActionButton.tsx';
import { DraftOffer } from '../ui/form/DraftOffer.tsx';
import '../ui/form/form.css';
import { Skeleton } from '../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { ignore, Section, State, useSay } from './parts.tsx';

/** Empty, failed and loading, and notes. */
export function States(): ReactNode {
  const say = useSay();
  return (
    <Section id="states" title="Empty, failed, loading, notes">
      <State name="empty">
        <EmptyState text={say('No records.', '沒有資料。')} />
      </State>
      <State name="empty, with detail and action">
        <EmptyState
          text={say('No groups yet.', '尚無群組。')}
          detail={say('A group gives its devices the same firmware.', '同一群組的裝置使用相同韌體。')}
          action={<ActionButton variant="filled">{say('Add group', '新增群組')}</ActionButton>}
        />
      </State>
      <State name="empty, no permission">
        <EmptyState
          text={say('You do not have permission to see this page.', '您沒有檢視此頁面的權限。')}
          detail={say('Ask an owner of the organization.', '請洽組織的擁有者。')}
        />
      </State>
      <State name="failed">
        <ErrorState text={say('The list could not be loaded.', '無法載入清單。')} />
      </State>
      <State name="failed, with retry">
        <ErrorState text={say('The list could not be loaded.', '無法載入清單。')} onRetry={ignore} />
      </State>
      <State name="note" wide>
        <div className="note">
          <IconInfoCircle size={18} />
          <p>{say('3 devices get this firmware at their next start.', '3 部裝置將於下次啟動時取得此韌體。')}</p>
        </div>
      </State>
      <State name="note, warning" wide>
        <div className="note note--warn">
          <IconAlertTriangle size={18} />
          <p>{say('2 devices are offline and get it later.', '2 部裝置離線，稍後才會取得。')}</p>
        </div>
      </State>
      <State name="note, failure" wide>
        <div className="note note--bad">
          <IconAlertTriangle size={18} />
          <p>{say('1 device rejected the file.', '1 部裝置拒絕了此檔案。')}</p>
        </div>
      </State>
      <State name="offer of a draft" wide>
        <DraftOffer onRestore={ignore} onDiscard={ignore} />
      </State>
      <State name="skeleton" wide>
        <Skeleton />
      </State>
    </Section>
  );
}
