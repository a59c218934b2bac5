/** Companies: conversion of consumers to professional customers, members, building sites and cost centres. */
export { vatDecidesConversion } from './decide-conversion.ts'
export { removeInvitationsOf } from './invitation-store.ts'
export { isConfirmedCompany, readConversion, readConversionStates, removeConversionsOf } from './store.ts'
export { addCostCentre, checkCostCentre, findSite, saveSite } from './manage-sites.ts'
export { readCostCentres, removeCostCentresOf, requiresCostCentre, setCostCentreRequired } from './cost-centre-store.ts'
export { readSite, readSites, removeSitesOf, type Site } from './site-store.ts'
