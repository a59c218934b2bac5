import { SendMessageDocument, type RefusalFragment, type SendMessageMutationVariables } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'

/** Sends the form; returns the reason for a refusal, if any. */
export async function sendMessage({ client }: ShopContext, input: SendMessageMutationVariables['input']): Promise<RefusalFragment | null> {
  const answer = await client.mutate(SendMessageDocument, { input })
  return answer?.sendMessage.refusal ?? null
}
