import { SendMessageDocument, type RefusalFragment, type SendMessageMutationVariables } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'

/** Sends the form; returns the reason for a refusal, if any, and whether a mail acknowledges it. */
export async function sendMessage(
  { client }: ShopContext,
  input: SendMessageMutationVariables['input'],
): Promise<{ refusal: RefusalFragment | null; isAcknowledged: boolean }> {
  const answer = await client.mutate(SendMessageDocument, { input })
  return { refusal: answer?.sendMessage.refusal ?? null, isAcknowledged: answer?.sendMessage.isAcknowledged ?? false }
}
