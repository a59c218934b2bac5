export interface TextMessage {
  /** E.164. */
  to: string
  body: string
}

export type SendResult = { reference: string } | { refused: string }

/** A message of the provider: the outcome of one of ours, or somebody's reply. */
export type ProviderNews =
  | { kind: 'report'; reference: string; state: 'sent' | 'delivered' | 'failed'; errorCode: string | null }
  | { kind: 'reply'; reference: string; from: string; body: string }

/** A provider of text messages. */
export interface SmsProvider {
  /** The provider's id of the message, or its code for a number or text that it will never take. @throws if it may take it later */
  send(message: TextMessage, signal: AbortSignal): Promise<SendResult>
  /** The provider's ids of messages with this text to this number that it has taken since a moment. */
  findSent(message: TextMessage & { since: Date }, signal: AbortSignal): Promise<string[]>
  /** Deletes a message, ours or a reply, with its number and text; also one that is gone. */
  remove(reference: string, signal: AbortSignal): Promise<void>
  /** Undefined for news that mean nothing to the shop. @throws ForgedReport without a valid signature */
  read(body: string, headers: Readonly<Record<string, string | string[] | undefined>>): ProviderNews | undefined
}

export class ForgedReport extends Error {
  override name = 'ForgedReport'
}
