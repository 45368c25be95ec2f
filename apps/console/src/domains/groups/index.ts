export { organizationGroupList } from './groups.lists.ts';
export { loadGroupList } from './load.ts';
export { FirstEffect } from './form/FirstEffect.tsx';
export { FirstWaveField, useFirstWave } from './form/FirstWaveField.tsx';
export { SafetyLimitField, safetyLimitFault } from './form/SafetyLimitFields.tsx';
export { WaveFields } from './form/WaveFields.tsx';
export { impactQuery } from './form/files.api.ts';
export {
  emptyRollout,
  isWaveHours,
  noRolloutBefore,
  rolloutInput,
  type RolloutDraft,
  sharePresets,
} from './form/rollout-draft.ts';
export { noMoves } from './move/moves.ts';
export { RolloutPanel } from './rollout/RolloutPanel.tsx';
export { rolloutsQuery, type TargetState } from './rollout/rollouts.api.ts';
