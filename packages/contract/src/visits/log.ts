export const log = {
  'visit.support_opened': ['Let support in as {0} until {1}', '已開放支援存取，角色 {0}，至 {1} 為止'],
  'visit.guest_added': ['Made {0} a guest as {1} until {2}', '已將 {0} 設為來賓，角色 {1}，至 {2} 為止'],
  'visit.ended': ['Ended the access of {0}', '已結束 {0} 的存取權'],
  'visit.expired': ['The access of {0} has ended', '{0} 的存取權已到期'],
  'visit.entered': ['Entered as {0}', '已進入，角色 {0}'],
  'visit.left': ['Left', '已離開'],
  'part.support': ['support', '支援人員'],
  'part.always': ['it is ended', '手動結束'],
} as const;
