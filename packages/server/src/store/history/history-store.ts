/** The history half of the store port. */
import type { HistoryStore } from '../../app/history/history-ports.ts'
import type { Script } from '../script.ts'
import type { transactions } from '../transactions.ts'

type Run = <T>(script: () => Script<T>) => Promise<T>

export const historyStore = (
  tx: ReturnType<typeof transactions>,
  read: Run,
  write: Run,
): HistoryStore => ({
  setFourEyes: (operatorId, fourEyes, at) => write(() => tx.setFourEyes(operatorId, fourEyes, at)),
  listReviews: (operatorId, page) => read(() => tx.listReviews(operatorId, page)),
  findCase: (operatorId, txnId, since) => read(() => tx.findCase(operatorId, txnId, since)),
  // What it adds up is kept.
  counterpartyHistory: (keys) => write(() => tx.counterpartyHistory(keys)),
  listAlerts: (operatorId, query) => read(() => tx.listAlerts(operatorId, query)),
  alertsOf: (operatorId, subject, since) => read(() => tx.alertsOf(operatorId, subject, since)),
  decideAlert: (operatorId, alertId, decision, since) =>
    write(() => tx.decideAlert(operatorId, alertId, decision, since)),
  announceRun: (run, now) => write(() => tx.announceRun(run, now)),
  openRuns: (job, now) => read(() => tx.openRuns(job, now)),
  recentRuns: (job) => read(() => tx.recentRuns(job)),
  claimRun: (lease, now) => write(() => tx.claimRun(lease, now)),
  releaseRun: (lease) => write(() => tx.releaseRun(lease)),
  saveRescreened: (lease, progress, findings, finishedAt) =>
    write(() => tx.saveRescreened(lease, progress, findings, finishedAt)),
  rescreenSubjects: (type, after, limit) => read(() => tx.rescreenSubjects(type, after, limit)),
  listedSubjects: () => read(() => tx.listedSubjects()),
  countSubjects: () => read(() => tx.countSubjects()),
  purgeHistory: (before, from, to) => write(() => tx.purgeHistory(before, from, to)),
})
