import { readVisitId, visitCookie, visitSeconds } from '@purlin/contract/consent.ts'

/** Each page view prolongs the visit; after half an hour without one the next begins another. */
export function continueVisit(): void {
  const id = readVisitId(document.cookie) ?? crypto.randomUUID()
  document.cookie = `${visitCookie}=${id}; path=/; max-age=${visitSeconds}; samesite=lax`
}
