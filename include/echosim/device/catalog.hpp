// SPDX-License-Identifier: MIT
// Accelerators by name. Each value is a data sheet's (dense: half of a figure given "with sparsity"); where sources
// differ the line says so. Sources: [ml] stas00/ml-engineering compute/accelerator/README.md @744d01e18b; [aic]
// ai-dynamo/ aiconfigurator systems/*.yaml @095f58a51c; [neu] sitar-lab/NeuSight device_configs @6945927d9a; [smi]
// memory that nvidia-smi reports as total; "recalled": from the vendor's sheet, not read again for this table.
#pragma once
#include <string_view>

#include "gpu.hpp"

namespace echosim::inline v0 {

inline namespace catalog {
using namespace literals;

// NVIDIA Tesla V100 SXM2. 80 SMs [neu]; peaks, 900 GB/s, 1530 MHz, 6 MB, 300 W recalled. No bf16 units.
inline constexpr gpu v100_32{.arch = architecture::volta, .fp32 = 15.7_TFLOPS, .tf32 = {}, .fp16 = 125_TFLOPS,
    .bf16 = {}, .fp8 = {}, .fp4 = {}, .hbm = 900_GBps, .memory = 32_GiB, .l2 = 6_MiB, .sms = 80, .clock = 1.530e9,
    .watts = 300};
inline constexpr gpu v100_16 = [] { gpu g = v100_32; g.memory = 16_GiB; return g; }();

// NVIDIA A100 SXM4. Peaks, 40 MB, 1410 MHz, 400 W [ml]; 2039 GB/s and 108 SMs [aic]; the 40 GB part 1555 GB/s recalled.
inline constexpr gpu a100_sxm_80{.arch = architecture::ampere, .fp32 = 19.5_TFLOPS, .tf32 = 156_TFLOPS,
    .fp16 = 312_TFLOPS, .bf16 = 312_TFLOPS, .fp8 = {}, .fp4 = {}, .hbm = 2'039_GBps, .memory = 80_GiB, .l2 = 40_MiB,
    .sms = 108, .clock = 1.410e9, .watts = 400};
inline constexpr gpu a100_sxm_40 = [] { gpu g = a100_sxm_80; g.hbm = 1'555_GBps; g.memory = 40_GiB; return g; }();
// The PCIe card: 1935 GB/s, 300 W [ml, aic].
inline constexpr gpu a100_pcie_80 = [] { gpu g = a100_sxm_80; g.hbm = 1'935_GBps; g.watts = 300; return g; }();
// A800 differs from A100 in NVLink only (8 of 12 links; recalled).
inline constexpr gpu a800_sxm = a100_sxm_80;

// NVIDIA L40S: 48 GB GDDR6 at 864 GB/s, 142 SMs, 2520 MHz, 350 W, peaks 362 and 733 TFLOPS (NVIDIA L40S data sheet);
// 96 MB of cache in front of the memory recalled.
inline constexpr gpu l40s{.arch = architecture::ada, .fp32 = 91.6_TFLOPS, .tf32 = 183_TFLOPS, .fp16 = 362_TFLOPS,
    .bf16 = 362_TFLOPS, .fp8 = 733_TFLOPS, .fp4 = {}, .hbm = 864_GBps, .memory = 48_GiB, .l2 = 96_MiB, .sms = 142,
    .clock = 2.520e9, .watts = 350};

// NVIDIA H100 SXM5. Peaks (at 1830 MHz), 50 MB, 700 W [ml]; boost 1980 MHz [neu]; 3.35 TB/s, 132 SMs [aic];
// 81559 MiB [smi].
inline constexpr gpu h100_sxm{.arch = architecture::hopper, .fp32 = 67_TFLOPS, .tf32 = 494.5_TFLOPS, .fp16 = 989_TFLOPS,
    .bf16 = 989_TFLOPS, .fp8 = 1'979_TFLOPS, .fp4 = {}, .hbm = 3'350_GBps, .memory = 81'559_MiB, .l2 = 50_MiB,
    .sms = 132, .clock = 1.980e9, .watts = 700};
// The PCIe card: 114 SMs, 1755 MHz, 2.0 TB/s, 350 W [ml].
inline constexpr gpu h100_pcie{.arch = architecture::hopper, .fp32 = 51_TFLOPS, .tf32 = 378_TFLOPS, .fp16 = 756_TFLOPS,
    .bf16 = 756_TFLOPS, .fp8 = 1'513_TFLOPS, .fp4 = {}, .hbm = 2'000_GBps, .memory = 81'559_MiB, .l2 = 50_MiB,
    .sms = 114, .clock = 1.755e9, .watts = 350};
// H800: the H100's chip with fewer NVLinks; 81559 MiB [smi].
inline constexpr gpu h800_sxm = h100_sxm;
// H200: 4.8 TB/s, 141 GB [ml]; 143771 MiB [smi].
inline constexpr gpu h200_sxm = [] { gpu g = h100_sxm; g.hbm = 4'800_GBps; g.memory = 143'771_MiB; return g; }();
// GH200 with 96 GB HBM3 at 4.0 TB/s or 144 GB HBM3e at 4.8 TB/s, 900 W for the module [ml]; 97871 MiB [smi], the larger
// as H200.
inline constexpr gpu gh200_96 = [] {
  gpu g = h100_sxm;
  g.hbm = 4'000_GBps, g.memory = 97'871_MiB, g.watts = 900;
  return g;
}();
inline constexpr gpu gh200_144 = [] {
  gpu g = gh200_96;
  g.hbm = 4'800_GBps, g.memory = 143'771_MiB;
  return g;
}();
// H20: 78 SMs, 148 TFLOPS bf16, 4.0 TB/s (zangshuxian.com); 97871 MiB, 500 W [smi]; 60 MB recalled; clock as H100.
inline constexpr gpu h20{.arch = architecture::hopper, .fp32 = 44_TFLOPS, .tf32 = 74_TFLOPS, .fp16 = 148_TFLOPS,
    .bf16 = 148_TFLOPS, .fp8 = 296_TFLOPS, .fp4 = {}, .hbm = 4'000_GBps, .memory = 97'871_MiB, .l2 = 60_MiB, .sms = 78,
    .clock = 1.980e9, .watts = 500};

// NVIDIA B200. Peaks, 1965 MHz, 1000 W [ml]; 8.0 TB/s [ml] ([aic]: 7.7); 148 SMs recalled; 183359 MiB [smi].
inline constexpr gpu b200{.arch = architecture::blackwell, .fp32 = 80_TFLOPS, .tf32 = 1'125_TFLOPS,
    .fp16 = 2'250_TFLOPS, .bf16 = 2'250_TFLOPS, .fp8 = 4'500_TFLOPS, .fp4 = 9'000_TFLOPS, .hbm = 8'000_GBps,
    .memory = 183'359_MiB, .l2 = 126_MiB, .sms = 148, .clock = 1.965e9, .watts = 1'000};
// GB200 as in NVL72: higher peaks, 2062 MHz, 1200 W [ml]; 189471 MiB [smi].
inline constexpr gpu gb200{.arch = architecture::blackwell, .fp32 = 80_TFLOPS, .tf32 = 1'250_TFLOPS,
    .fp16 = 2'500_TFLOPS, .bf16 = 2'500_TFLOPS, .fp8 = 5'000_TFLOPS, .fp4 = 10'000_TFLOPS, .hbm = 8'000_GBps,
    .memory = 189'471_MiB, .l2 = 126_MiB, .sms = 148, .clock = 2.062e9, .watts = 1'200};
// B300: peaks, 1100 W [ml, aic]; 275040 MiB [smi]; SMs, cache and clock as B200 (recalled).
inline constexpr gpu b300{.arch = architecture::blackwell_ultra, .fp32 = 80_TFLOPS, .tf32 = 1'125_TFLOPS,
    .fp16 = 2'250_TFLOPS, .bf16 = 2'250_TFLOPS, .fp8 = 4'500_TFLOPS, .fp4 = 13'500_TFLOPS, .hbm = 8'000_GBps,
    .memory = 275'040_MiB, .l2 = 126_MiB, .sms = 148, .clock = 1.965e9, .watts = 1'100};
// GB300 as in NVL72: peaks, 1400 W [ml]; memory as B300; SMs, cache and clock as GB200 (recalled).
inline constexpr gpu gb300{.arch = architecture::blackwell_ultra, .fp32 = 80_TFLOPS, .tf32 = 1'250_TFLOPS,
    .fp16 = 2'500_TFLOPS, .bf16 = 2'500_TFLOPS, .fp8 = 5'000_TFLOPS, .fp4 = 15'000_TFLOPS, .hbm = 8'000_GBps,
    .memory = 275'040_MiB, .l2 = 126_MiB, .sms = 148, .clock = 2.062e9, .watts = 1'400};

// NVIDIA RTX PRO 6000 Blackwell, workstation and server: 125 TFLOPS fp32, 4000 TOPS sparse fp4 (halved for each wider
// format), 188 SMs, 1792 GB/s, 128 MB, 600 W, about 2.6 GHz (NVIDIA GTC 2025 data sheet).
inline constexpr gpu rtx_pro_6000{.arch = architecture::blackwell_workstation, .fp32 = 125_TFLOPS, .tf32 = 250_TFLOPS,
    .fp16 = 500_TFLOPS, .bf16 = 500_TFLOPS, .fp8 = 1'000_TFLOPS, .fp4 = 2'000_TFLOPS, .hbm = 1'792_GBps,
    .memory = 96_GiB, .l2 = 128_MiB, .sms = 188, .clock = 2.600e9, .watts = 600};

// AMD MI250X, one of the module's two dies, which software sees as a GPU: half of 383 TFLOPS, 3.28 TB/s, 128 GB, 560 W,
// 1700 MHz [ml]; 110 CUs and 8 MB a die recalled.
inline constexpr gpu mi250x{.arch = architecture::cdna2, .fp32 = 23.95_TFLOPS, .tf32 = {}, .fp16 = 191.5_TFLOPS,
    .bf16 = 191.5_TFLOPS, .fp8 = {}, .fp4 = {}, .hbm = 1'638_GBps, .memory = 64_GiB, .l2 = 8_MiB, .sms = 110,
    .clock = 1.700e9, .watts = 280};
// AMD MI300X, MI325X, MI355X: peaks, memory, 256 MB of Infinity Cache, clocks, power [ml]; 304 CUs recalled; MI355X: no
// TF32 figure in [ml], taken as absent.
inline constexpr gpu mi300x{.arch = architecture::cdna3, .fp32 = 163.4_TFLOPS, .tf32 = 653.7_TFLOPS,
    .fp16 = 1'307_TFLOPS, .bf16 = 1'307_TFLOPS, .fp8 = 2'610_TFLOPS, .fp4 = {}, .hbm = 5'300_GBps, .memory = 192_GiB,
    .l2 = 256_MiB, .sms = 304, .clock = 2.100e9, .watts = 750};
inline constexpr gpu mi325x = [] {
  gpu g = mi300x;
  g.hbm = 6'000_GBps, g.memory = 256_GiB, g.watts = 1'000;
  return g;
}();
inline constexpr gpu mi355x{.arch = architecture::cdna4, .fp32 = 157.3_TFLOPS, .tf32 = {}, .fp16 = 2'500_TFLOPS,
    .bf16 = 2'500_TFLOPS, .fp8 = 5'000_TFLOPS, .fp4 = 10'100_TFLOPS, .hbm = 8'000_GBps, .memory = 288_GiB,
    .l2 = 256_MiB, .sms = 256, .clock = 2.400e9, .watts = 1'400};
}  // namespace catalog

struct named_gpu {
  std::string_view name{};
  gpu part{};
};

/// Parts by the names that scenarios and measurements use; later lines are short names of a usual part.
inline constexpr named_gpu gpus[] = {
    {"v100_16", v100_16},     {"v100_32", v100_32},   {"a100_sxm_40", a100_sxm_40}, {"a100_sxm_80", a100_sxm_80},
    {"a100_pcie_80", a100_pcie_80}, {"a800_sxm", a800_sxm}, {"l40s", l40s},         {"h100_sxm", h100_sxm},
    {"h100_pcie", h100_pcie}, {"h800_sxm", h800_sxm}, {"h200_sxm", h200_sxm},       {"h20", h20},
    {"gh200_96", gh200_96},   {"gh200_144", gh200_144}, {"b200", b200},             {"gb200", gb200},
    {"b300", b300},           {"gb300", gb300},       {"mi250x", mi250x},           {"mi300x", mi300x},
    {"mi325x", mi325x},       {"mi355x", mi355x},     {"rtx_pro_6000", rtx_pro_6000},
    {"v100", v100_32},        {"a100", a100_sxm_80},  {"a100_sxm", a100_sxm_80},    {"a100_pcie", a100_pcie_80},
    {"a800", a800_sxm},       {"h100", h100_sxm},     {"h800", h800_sxm},           {"h200", h200_sxm},
    {"gh200", gh200_96},      {"b200_sxm", b200},     {"b300_sxm", b300},
    {"gb200_sxm", gb200},     {"gb300_sxm", gb300},   {"rtx_pro_6000_server", rtx_pro_6000},
};

/// Null where no part has the name.
[[nodiscard]] constexpr const named_gpu* find_gpu(std::string_view name) {
  for (const named_gpu& g : gpus)
    if (g.name == name) return &g;
  return nullptr;
}

}  // namespace echosim::inline v0
