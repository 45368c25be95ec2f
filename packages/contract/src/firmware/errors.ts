import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'firmware.not_found': failure(404, 'This firmware does not exist.'),
  'firmware.duplicate': failure(409, 'This version is already in the catalog for this model.'),
  'firmware.empty': failure(400, 'The file is empty.'),
  'firmware.too_large': failure(413, 'The file exceeds the size limit for firmware images.'),
  'firmware.truncated': failure(400, 'The image is incomplete. Upload the whole file.'),
  'firmware.unsigned': failure(400, 'The image is not signed.'),
  'firmware.bad_signature': failure(400, 'This image is not signed with a trusted key.'),
  'firmware.mismatch': failure(400, 'The image is signed for a different model or version.'),
  'firmware.wrong_model': failure(409, 'This firmware is for a different model than some routers in this group.'),
  'firmware.bound': failure(409, 'This firmware is bound to groups. Remove it from them first.'),
} as const;
