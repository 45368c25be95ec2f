/** The limits of what a rule does by itself: minutes until it acts on a device again, devices at the same time, actions in 24 hours. */
export const actionLimits = {
  cooldownMinutes: { least: 5, most: 10_080 },
  atOnce: { least: 1, most: 1_000 },
  perDay: { least: 1, most: 10_000 },
} as const;
