/** The second half of the seeds, in a process of its own beside the first. */
import { simulateHalf } from './seeds.ts'

simulateHalf(1)
