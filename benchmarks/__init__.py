"""One script a question; what they found, with commands: docs/measurements.md.

graders     verifiers          speed and verdicts beside math-verify, or beside another commit
            adversarial_texts  how the time of a verdict grows on texts made to be slow
            audit_peers        what graders of other projects wrongly accept, and ours
            long_responses     one verdict on 400 kB of reasoning
            drop_in            rewardkit.drop_in beside math-verify, on its own test inputs
            judging            a judge behind rules: requests at once, outages, profiles, training
            grade              a table of responses, by `rewardkit grade`
            serve              many clients of `rewardkit serve`
            serve_attacked     an honest client of it beside some that mean harm
evaluation  intervals          how often intervals hold the truth, and equal models are told apart
            interval_cases     the same where problems or samples are not alike
            interval_formulas  the formulas of both in NumPy
            evaluation_clients tokens a second and CPU of clients of one server, ours and others'
            regrade            the same responses graded by us, lm-eval and lighteval
            first_errors       how soon `rewardkit eval` refuses bad input
data        data               opening, drawing from and grading 1.8 million rows
training    demo               what a newcomer waits for, alone and beside other work
            thread_waits       how torch's threads wait for each other, and what that costs
            native_step        a step beside another commit's
            native_vs_trl      a step beside TRL's; its side is trl_steps; products: torch.mm
            learning_curves    rewards beside TRL's, seed by seed
            example_seeds      whether an example learns whatever its seed
            calculator         a model learns to call a tool
            distillation       what a student learns from a teacher
            same_bits          runs that must end in the same bits
            algorithms         advantages and losses beside verl's
            head_memory        log-probabilities over a large vocabulary
            memory_plan        `rewardkit train --plan` beside what a process holds
            samplers           tokens a second of every way to sample
            critic, process    PPO with a critic, process rewards: beside what goes without
            gpu                all of the backend on a GPU; its whole runs are gpu_runs
samplers    sampling           what choosing problems saves and costs: its toy is sampling_toy
            sampling_bias      what choosing does to the gradient, by enumeration
            sampling_train     the same rules in real training; pictures: sampling_curves

side_by_side is what comparisons with another commit share.
"""
