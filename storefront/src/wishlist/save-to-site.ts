import { SitesForListsDocument } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'

/** Whether the viewer's company has building sites, whose lists colleagues fill together. Never throws. */
export function hasSites(): Promise<boolean> {
  return ask(SitesForListsDocument, {}).then(
    ({ sitesForLists }) => sitesForLists.length > 0,
    () => false,
  )
}
