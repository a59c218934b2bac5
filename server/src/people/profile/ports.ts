let hasProvider = (): boolean => {
  throw new Error('connectSms was not called: whether the shop sends text messages is unknown')
}

/** Text messages belong to a later module, which is connected here. */
export function connectSms(hasSmsProvider: () => boolean): void {
  hasProvider = hasSmsProvider
}

/** Whether the shop has a provider of text messages: without one no code reaches a number. */
export const isSmsOffered = (): boolean => hasProvider()
