export const log = {
  'organization.changed': ['Changed {0} of organization {1}', '已變更組織 {1} 的{0}'],
  'organization.created': ['Created organization {0}', '已建立組織 {0}'],
  'organization.deleted': ['Deleted organization {0}', '已刪除組織 {0}'],
} as const;
