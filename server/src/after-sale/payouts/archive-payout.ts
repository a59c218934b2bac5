import { removeFile } from '#files'
import type { LongContext } from '#platform'
import { keepStatement, readPayout } from './payout-store.ts'
import { putStatement } from './statement.ts'

/** Draws and stores the statement of a payout, once. */
export async function archivePayout(context: LongContext, payoutId: string): Promise<void> {
  const payout = await readPayout(context.db, payoutId)
  if (!payout || payout.pdfFile) return
  const { pdf, csv } = await putStatement(context.db.alone, payout)
  await context.checkpoint('kept', async ({ db }) => {
    if (await keepStatement(db, payoutId, pdf, csv)) return
    await removeFile(db, pdf)
    await removeFile(db, csv)
  })
}
