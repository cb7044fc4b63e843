# Tests that BANDOLIER_FAST_TESTS leaves out, by pattern: those that play whole trials or draw many
# samples, too long under a sanitizer or an emulator. Of the agents' conformance suite the tests about
# input, files and memory stay.
set(BANDOLIER_SLOW_TESTS
  # conformance of agents and environments
  *Conformance.Earns*
  *Conformance.AnActionThatIsNot*/neural_ts
  *Conformance.AnActionThatIsNot*/neural_ucb
  *Conformance.DecideAllocates*
  *Conformance.ProbabilitiesSum*
  *Conformance.TheSameStreams*
  *Conformance.BeliefStays*
  *Conformance.ObserveIsTheSame*
  *Conformance.RewardsMayComeLate*
  *Conformance.RewardsOfAnyScale*
  *Conformance.RewardsTimes*
  *Conformance.AStaleTicket*
  *Conformance.BadInput*/neural_ts
  *Conformance.BadInput*/neural_ucb
  *Conformance.ABatchDecides*
  *Conformance.ManyThreads*
  *Conformance.SavedAndLoaded*
  *Conformance.TypedDefaults*
  *Conformance.ACloneDoesNotLearn*
  *EnvironmentConformance*
  # trials
  *ChangingActions.AnIdNever*
  *ChangingActions.Are*
  *ChangingActions.Memory*
  *ChangingActions.SavedAndLoaded*
  *ChangingActions.WhatAnId*
  *ChangingActions.WordsThat*
  *NamedAgent.LearnsFrom*
  *NamedAgent.TheDefaultSlots*
  *EveryCombination*
  *ForgettingReturns*
  *HasNoiseOf*
  *LearnAProblemThatNoLinear*
  *Lim2.B*
  *Lim2.K*
  *Lim2.W*
  *NeuralTs*
  *SubspaceEkf.*
  *TrainAgainOnce*
  # samples, and long inputs
  *EveryPolicy*
  *FloatAgreesWithDouble*
  *FloatStays*
  *ImportanceWeighted*
  *MillionDraws*
  *Moments*
  *RandomGamma*
  *Sample*
  *UnpackLzw*)
