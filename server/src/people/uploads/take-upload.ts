import type { UploadAnswer, UploadFault } from '@purlin/contract/gateway.ts'
import { authorize, ownerOf } from '#accounts'
import { kinds, putCheckedFile, type Source } from '#files'
import { lineHashOf, newId, senderHashOf, StatusError, transaction, type Scope } from '#platform'
import { potOf } from './pot.ts'
import { countRecent, insertUpload, settleUpload, takeTurn, type Recent } from './store.ts'

/**
 * Per day, for one person and for one network; `unused` is the total of unused uploads in a pot, `unusedOfLine` what one line has of it. `atOnce`
 * is for this process, and less than half of it for one network, whose slow connection could take all.
 */
export const uploadLimits = {
  files: 20,
  bytes: 60_000_000,
  perSender: 60,
  unused: 2_000_000_000,
  unusedOfLine: 200_000_000,
  atOnce: 8,
  perSenderAtOnce: 3,
}

const day = 86_400_000
let underWay = 0
const underWayBy = new Map<string, number>()

/**
 * Stores an uploaded file as a stream. It belongs to its sender and expires after a day unless `useUploads` attaches it
 * to something. Refused attempts count too: each costs us an inspection of its bytes.
 */
export async function takeUpload(scope: Scope, { name, source }: { name: string; source: Source }): Promise<UploadAnswer> {
  const sender = senderHashOf(scope.remoteAddress)
  const ofSender = (sender !== null && underWayBy.get(sender)) || 0
  if (underWay >= uploadLimits.atOnce || ofSender >= uploadLimits.perSenderAtOnce) return { ok: false, reason: 'busy' }
  underWay++
  if (sender !== null) underWayBy.set(sender, ofSender + 1)
  try {
    const reserved = await transaction(scope, reserve)
    if (!reserved.ok) return reserved
    const { id, owner } = reserved
    const { alone } = scope.db
    const put = await putCheckedFile(alone, source, { kind: 'upload', owner, name }).catch(async (error: unknown) => {
      await settleUpload(alone, id, null)
      throw error
    })
    const file = put.ok ? { key: put.file.key, name: put.file.name ?? '', bytes: put.file.bytes } : null
    await settleUpload(alone, id, file)
    return put.ok ? { ok: true, id, name: put.file.name ?? '', bytes: put.file.bytes } : { ok: false, reason: put.reason }
  } finally {
    underWay--
    if (sender !== null) leave(sender)
  }
}

function leave(sender: string): void {
  const left = (underWayBy.get(sender) ?? 1) - 1
  if (left > 0) underWayBy.set(sender, left)
  else underWayBy.delete(sender)
}

type Reserved = { ok: true; id: string; owner: string } | { ok: false; reason: UploadFault }

/** Reserves room for one more file, if its sender is within the limits. */
async function reserve(scope: Scope): Promise<Reserved> {
  const { db, now, remoteAddress } = scope
  const owner = ownerOf(scope)
  if (owner === null || !authorize(scope, 'file.upload', { owner })) throw new StatusError(403, 'FORBIDDEN', 'Only buyers can attach files')
  const sender = { network: senderHashOf(remoteAddress), line: lineHashOf(remoteAddress) }
  const pot = await potOf(scope)
  await takeTurn(db, owner)
  if (sender.line !== null) await takeTurn(db, sender.line)
  if (isTooMuch(await countRecent(db, owner, sender, pot, new Date(now.getTime() - day)))) return { ok: false, reason: 'quota' }
  const id = newId()
  await insertUpload(db, { id, owner, sender, pot, bytes: kinds.upload.maxBytes })
  return { ok: true, id, owner }
}

function isTooMuch({ files, bytes, ofSender, unused, unusedOfLine }: Recent): boolean {
  const limits = uploadLimits
  const hasRoom = unused < limits.unused && unusedOfLine < limits.unusedOfLine
  return files >= limits.files || bytes >= limits.bytes || ofSender >= limits.perSender || !hasRoom
}
